import { Visitor as Browser } from 'framework/testing'
import type { VisitedSite } from 'framework/testing'

export type { Outcome } from 'framework/testing'
export type Fields = Readonly<Record<string, string>>

/** A browser that knows the pages of accounts. */
export class Visitor extends Browser {
  constructor(app: VisitedSite, agent?: string, address?: string) {
    super(app, {
      tokenPage: '/login',
      ...(agent !== undefined && { agent }),
      ...(address !== undefined && { address }),
    })
  }

  /** Whether the account page opens. */
  async isSignedIn(): Promise<boolean> {
    return (await this.ask('/account')).status === 200
  }
}
