import type { ExportParts } from '../account-parts.ts'
import type { DeleteStep } from '../changes/account-deletion.ts'
import type { Identity } from '../identity.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { Database } from '../../database/surface.ts'

/** A path of the project. */
export type Path = `/${string}`

/** What tokens can be allowed to do, with the texts of the form that creates one. */
export type ApiScopes = Readonly<Record<string, string>>

/** The argument of `accounts`. What is left out is off: it has no route, no table and no cost. */
export interface AccountsOptions<Fields extends object = object> {
  /**
   * Whether people can register themselves; `fields` is a schema of columns of yours, which `framework migrate` adds to
   * the table `users`, the form asks for and `users` returns. An account that was there before, or that was made in
   * another way than by the form, has null in them, or the default of the schema. @default true
   */
  readonly registration?:
    | boolean
    | {
        readonly fields: StandardSchema<unknown, Fields>
        /**
         * Values of columns that the form does not ask for, such as a role: nobody can send others. They are the
         * defaults of the columns too. @default none
         */
        readonly initial?: Partial<NoInfer<Fields>>
      }
  /**
   * Codes of an authenticator app as second step of a sign-in; `required` says who must have one, and is led to the page
   * that adds it. @default false
   */
  readonly secondFactor?: boolean | { required(this: void, user: Identity & Fields): boolean }
  /** Signing in with a passkey, and as second step. @default false */
  readonly passkeys?: boolean
  /** Signing in with a mailed code or link. @default false */
  readonly mailSignIn?: boolean
  /**
   * Signing in with accounts of other sites, by the names that their variables have: `['company']` is
   * `OIDC_COMPANY_ISSUER` and the rest, and so is true. @default false
   */
  readonly openId?: boolean | readonly string[]
  /** Tokens for programs, and what they can be allowed to do: `{ scopes: { 'notes:read': 'Read your notes' } }`. @default none */
  readonly apiTokens?: { readonly scopes: ApiScopes } | false
  /** Changing the e-mail address. @default false */
  readonly emailChange?: boolean
  /** Deleting the account, after some days; `deletes` are rows of the project that go with it. @default false */
  readonly deletion?: boolean | { readonly deletes: readonly DeleteStep[] }
  /** A copy of the data of an account; `parts` are those of the project. @default false */
  readonly exports?:
    | boolean
    | { readonly parts: (stores: { readonly database: Database }) => ExportParts }
  /** A list of what happened to the account, and mails about new devices. @default false */
  readonly activity?: boolean
  /** Pages of the project that people are led to. @default the page of the account */
  readonly after?: { readonly signIn?: Path; readonly registration?: Path }
  /** Called when something happened to an account. */
  readonly on?: AccountHooks<Fields>
}

/** Functions of the project that are called when something happened to an account. What the first two throw is reported. */
export interface AccountHooks<Fields extends object = object> {
  /** By whatever way. */
  registered?(this: void, user: Identity & Fields): unknown
  signedIn?(this: void, user: Identity & Fields): unknown
  /** In the transaction that deletes the account: if it throws, the account stays. */
  readonly deleted?: DeleteStep
}

/** Whether an option that may have options of its own is on. */
export function isOn<Option extends object>(
  option: Option | boolean | undefined,
): option is Option | true {
  return option !== undefined && option !== false
}

/** The scopes of tokens that options name. */
export type ScopesOf<Options> = Options extends {
  readonly apiTokens: { readonly scopes: infer Scopes }
}
  ? keyof Scopes & string
  : never

/** Whether options turn something on. */
export type IsOn<Options, Name extends string> = Options extends {
  readonly [Part in Name]: infer Value
}
  ? Value extends false | undefined
    ? false
    : true
  : false
