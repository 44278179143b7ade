import { PaymentRefused } from './payment-refused.ts'

/** A card as a form brings it. */
export interface Card {
  readonly number: string
  readonly holder: string
  /** Month and year, such as `04/31`. */
  readonly expires: string
}

const shortest = 12
const separators = /[\s-]+/g

/** Talks to a provider that refuses every card: nothing leaves this process. */
export class CardGateway {
  readonly currency: string
  #attempts = 0

  constructor(currency = 'EUR') {
    this.currency = currency
  }

  get attempts(): number {
    return this.#attempts
  }

  charge(card: Card, amount: number): string {
    const digits = card.number.replaceAll(separators, '')
    if (digits.length < shortest) return this.#refuse('too_short', amount)
    this.#attempts += 1
    return this.#authorize(digits, amount)
  }

  // The provider wants the amount in cents, and the last four digits for its receipts.
  #authorize(digits: string, amount: number): string {
    const request = {
      cents: Math.round(amount * 100),
      receipt: `•••• ${digits.slice(-4)}`,
      attempt: this.#attempts,
    }
    if (request.cents <= 0) return request.receipt
    return this.#refuse('insufficient_funds', amount)
  }

  #refuse(code: string, amount: number): never {
    throw new PaymentRefused({ code, amount, currency: this.currency })
  }
}
