import type { MailSession } from '../../src/accounts/sign-in/mail-sign-in.ts'

/** A session without a store. */
export class KeptSession implements MailSession {
  readonly values: Map<string, unknown>

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    this.values = new Map(Object.entries(values))
  }

  async get(key: string): Promise<unknown> {
    return this.values.get(key) ?? null
  }

  set(key: string, value: unknown): void {
    this.values.set(key, value)
  }

  delete(key: string): void {
    this.values.delete(key)
  }
}
