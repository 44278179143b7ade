import type { CDPSession, Page } from 'playwright-core'

/** Options of a virtual authenticator. */
export interface VirtualOptions {
  /** Whether it can verify its user. @default true */
  readonly verifies?: boolean
  /** Whether it stores the account with the passkey. @default true */
  readonly resident?: boolean
}

/** An authenticator of Chromium's own, as if it were built into the machine of a page. */
export class VirtualAuthenticator {
  readonly #session: CDPSession
  readonly #authenticatorId: string

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session
    this.#authenticatorId = authenticatorId
  }

  static async plugIn(
    page: Page,
    { verifies = true, resident = true }: VirtualOptions = {},
  ): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable', {})
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: resident ? 'internal' : 'usb',
        hasResidentKey: resident,
        hasUserVerification: verifies,
        isUserVerified: verifies,
        automaticPresenceSimulation: true,
      },
    })
    return new VirtualAuthenticator(session, authenticatorId)
  }

  /** Takes it out again, with its passkeys. */
  async unplug(): Promise<void> {
    const { authenticatorId } = this.#ids
    await this.#session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  }

  /** Whether the user types the right PIN from now on. */
  async setVerified(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { ...this.#ids, isUserVerified })
  }

  /** Makes its passkey an older copy of itself, that has signed so often. */
  async setCounter(signCount: number): Promise<void> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', this.#ids)
    for (const credential of credentials) {
      const { credentialId } = credential
      await this.#session.send('WebAuthn.removeCredential', { ...this.#ids, credentialId })
      await this.#session.send('WebAuthn.addCredential', {
        ...this.#ids,
        credential: { ...credential, signCount },
      })
    }
  }

  /** How often its passkey has signed. */
  async counter(): Promise<number> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', this.#ids)
    return credentials[0]?.signCount ?? -1
  }

  get #ids() {
    return { authenticatorId: this.#authenticatorId }
  }
}
