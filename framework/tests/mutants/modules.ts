/** Sources whose tests must notice every change, by glob from the root of the repository. */
export interface MutatedModule {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

const src = 'framework/src'
const tests = 'framework/tests'
const accountTests = [
  `${src}/accounts/**/*.test.ts`,
  `${tests}/databases/{account*,api-tokens,credentials,email-change,ended-sessions,mail-sign-in,open-id,passkey*,sign-in-*,tokens*,trust*,users,authenticator}.test.ts`,
  `${tests}/conformance/{auth-*,bearer,open-id-issuer}.test.ts`,
]

export const modules: Readonly<Record<string, MutatedModule>> = {
  accounts: {
    sources: [`${src}/accounts/*.ts`, `${src}/accounts/{sign-in,guards,passwords,factors}/*.ts`],
    tests: accountTests,
  },
  tokens: {
    sources: [`${src}/accounts/tokens/*.ts`, `${src}/accounts/devices/*.ts`],
    tests: accountTests,
  },
  session: {
    sources: [`${src}/http/session/*.ts`],
    tests: [
      `${src}/http/session/*.test.ts`,
      `${tests}/conformance/session.test.ts`,
      `${tests}/databases/session-sql.test.ts`,
    ],
  },
  csrf: {
    sources: [`${src}/http/middlewares/csrf*.ts`],
    tests: [`${src}/http/middlewares/csrf*.test.ts`, `${tests}/conformance/csrf*.test.ts`],
  },
  limits: {
    sources: [`${src}/http/rate-limits/*.ts`],
    tests: [
      `${src}/http/rate-limits/*.test.ts`,
      `${tests}/conformance/rate-limit.test.ts`,
      `${tests}/databases/rate-limit-sql.test.ts`,
    ],
  },
  pagination: {
    sources: [`${src}/orm/pagination/*.ts`],
    tests: [
      `${src}/orm/pagination/*.test.ts`,
      `${tests}/databases/pagination-*.test.ts`,
      `${tests}/conformance/pagination-{cursor,page}-mode.test.ts`,
    ],
  },
  masks: {
    sources: [`${src}/base/mask*.ts`, `${src}/base/redact.ts`],
    tests: [`${src}/base/{mask,redact}*.test.ts`],
  },
}
