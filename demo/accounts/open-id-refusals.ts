import type { OpenIdIssuer, OpenIdRefusal } from 'framework/auth'

/** What the visitor is told, and the status for JSON clients. */
export interface RefusalText {
  readonly message: string
  readonly status: number
}

/** Describes why somebody who came from another site was not signed in. */
export function describeRefusal(refusal: OpenIdRefusal, { label }: OpenIdIssuer): RefusalText {
  return texts(label)[refusal]
}

function texts(label: string): Readonly<Record<OpenIdRefusal, RefusalText>> {
  return {
    denied: { message: `You did not continue with ${label}. Nothing was changed.`, status: 403 },
    failed: { message: `${label} could not confirm who you are. Please try again.`, status: 403 },
    unavailable: {
      message: `${label} does not respond right now. Try again in a minute, or sign in another way.`,
      status: 503,
    },
    expired: {
      message: 'That took too long, or was begun in another browser. Please try again.',
      status: 403,
    },
    email: {
      message:
        `No account here is connected with your ${label} account. Sign in another way, ` +
        `then connect ${label} in your settings.`,
      status: 403,
    },
    closed: { message: `There is no account here for your ${label} account.`, status: 403 },
    unverified: {
      message:
        'The e-mail of the account here was never verified. If it is yours, use ' +
        `“Forgot your password?”, sign in, and connect ${label} in your settings.`,
      status: 403,
    },
    taken: {
      message: `The account here is connected with another ${label} account.`,
      status: 403,
    },
    elsewhere: {
      message: `This ${label} account is connected with another account here.`,
      status: 409,
    },
  }
}
