/** An API token, as listed to its owner. Times are epoch seconds. */
export interface ApiToken<Scope extends string = string> {
  /** Identifies it on pages and in URLs: the selector, which is the readable part of the token. */
  readonly handle: string
  /** What its owner calls it. */
  readonly name: string
  /** What it may be used for. */
  readonly scopes: readonly Scope[]
  readonly created: number
  readonly expires: number
  /** When it was last used, to the minute; null if never. */
  readonly used: number | null
}

/** The token of a request. */
export interface ApiTokenUse<Scope extends string = string> extends ApiToken<Scope> {
  /** The account it belongs to. */
  readonly user: string
}

/**
 * A new API token for its owner, the only place where the secret exists. Read-only. The secret is not an
 * own property, so logs, copies and JSON do not contain it.
 */
export class NewApiToken<Scope extends string = string> {
  readonly token: ApiToken<Scope>
  readonly #value: string

  constructor(value: string, token: ApiToken<Scope>) {
    this.#value = value
    this.token = token
    Object.freeze(this)
  }

  /** `fw_<selector>_<verifier><checksum>`, to be shown once. */
  get value(): string {
    return this.#value
  }
}

/**
 * The token in the `Authorization` header of a request; null if the header is missing or of another
 * scheme. Browsers never add this header by themselves, so a page of another site cannot make them send
 * it, except where CORS allows that.
 */
export function bearerText(request: { header(name: string): string | undefined }): string | null {
  const [, text] = /^bearer +(\S*) *$/i.exec(request.header('authorization') ?? '') ?? []
  return text ?? null
}
