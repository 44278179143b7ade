/** Why a payment did not go through, as a payment provider would tell it. */
export interface Refusal {
  readonly code: string
  readonly amount: number
  readonly currency: string
}

/** The error of this benchmark: a class of its own with a few properties, as applications have it. */
export class PaymentRefused extends Error {
  readonly code: string
  readonly status = 402
  readonly details: Refusal

  constructor(refusal: Refusal) {
    super(`the payment of ${refusal.amount} ${refusal.currency} was refused: <${refusal.code}>`)
    this.name = 'PaymentRefused'
    this.code = refusal.code
    this.details = refusal
  }
}
