import { entryOrigin } from '../auth-events.ts'
import type { Identity } from '../identity.ts'
import type { PasskeyOptions } from '../passkeys/webauthn-options.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { GateResult } from './sign-in-gate.ts'
import type { EnterOptions, SignIn } from './sign-in.ts'

/** Options of `PasskeySignIn`. */
export interface PasskeySignInOptions {
  readonly passkeys: Passkeys
  /** A `Users`. */
  readonly users: { find(user: string): Promise<Identity | null> }
  readonly signIn: SignIn
}

/** Options of `PasskeySignIn.enter`. */
export type PasskeyEnterOptions = Pick<EnterOptions, 'remember'>

/** Signs visitors in with a passkey, without a password and without an address to type. */
export class PasskeySignIn {
  readonly #options: PasskeySignInOptions

  constructor(options: PasskeySignInOptions) {
    this.#options = options
  }

  /**
   * The options for `navigator.credentials.get`, as JSON. The browser offers the passkeys it has for the
   * site; nothing is read from the database, and nothing is stored.
   * @throws HttpError 400 without a session: the form with the CSRF token has one.
   */
  options(request: Request): Promise<PasskeyOptions> {
    const { digest: binding } = request.session
    if (binding === null) throw new HttpError(400, 'a passkey needs a session')
    return this.#options.passkeys.requestOptions({ purpose: 'enter', binding })
  }

  /**
   * Signs in with what the browser returned, as JSON. Null if it is refused, which `AuthEvents.Failed`
   * tells. No factor is asked for: the passkey has verified its user.
   */
  async enter(
    request: Request,
    response: Response,
    credential: string,
    { remember = false }: PasskeyEnterOptions = {},
  ): Promise<GateResult | null> {
    const { passkeys, signIn, users } = this.#options
    const binding = request.session.digest ?? ''
    const entry = { credential, binding, ...entryOrigin(request) }
    const owner = await passkeys.identify(entry)
    const identity = owner === null ? null : await users.find(owner.user)
    if (owner === null || identity === null) {
      signIn.refuse(request)
      return null
    }
    const { name } = passkeys
    const holds = (): Promise<boolean> => passkeys.has(owner)
    const options = { way: name, proven: name, remember, holds }
    return signIn.enter(request, response, identity, options)
  }
}
