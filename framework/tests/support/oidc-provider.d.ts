/** The part of the package, which has no types, that `TestIssuer` uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export interface Context {
    readonly oidc: {
      readonly provider: Provider
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (of: { accountId: string; clientId: string }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
  }
}
