import { type Card, CardGateway } from './card-gateway.ts'

/** A line of an order. */
export interface OrderLine {
  readonly article: string
  readonly price: number
  readonly count: number
}

/** What somebody wants to buy. */
export interface Order {
  readonly number: number
  readonly lines: readonly OrderLine[]
  readonly card: Card
}

const discounts = new Map([
  [3, 0.05],
  [10, 0.1],
])

/** Prices an order and takes the money for it. */
export class Checkout {
  readonly #gateway: CardGateway

  constructor(gateway: CardGateway = new CardGateway()) {
    this.#gateway = gateway
  }

  place(order: Order): string {
    const total = order.lines
      .map((line) => this.#priceOf(line))
      .reduce((sum, price) => sum + price, 0)
    return this.#settle(order, total)
  }

  #priceOf({ price, count }: OrderLine): number {
    let rate = 1
    for (const [least, discount] of discounts) if (count >= least) rate = 1 - discount
    return price * count * rate
  }

  #settle(order: Order, total: number): string {
    // One transaction in a real shop: either both happen or neither.
    const receipt = transactionally(() => this.#gateway.charge(order.card, total))
    return `Order ${order.number}: ${receipt}`
  }
}

function transactionally<Result>(work: () => Result): Result {
  const began = performance.now()
  try {
    return work()
  } finally {
    lastDurationMs = performance.now() - began
  }
}

/** How long the latest transaction took. */
export let lastDurationMs = 0
