/** Something that was done to the site or around it, in milliseconds of the clock of this process. */
export interface Disturbance {
  readonly kind: string
  readonly from: number
  to: number
}

/** A deposit that somebody asked for: whether the site said that it has arrived. */
export interface Deposit {
  readonly op: string
  readonly person: string
  isAcknowledged: boolean
}

/** A receipt, as the site has written it, or the mail of one. */
export interface Receipt {
  readonly op: string
  readonly job: string
  readonly at: number
}

/** What the stores of the site hold when it has come to rest. */
export interface Rest {
  /** Owner of each row, by what was deposited. */
  readonly deposits: readonly { readonly op: string; readonly person: string }[]
  readonly receipts: readonly Receipt[]
  readonly mails: readonly { readonly op: string; readonly at: number }[]
  readonly ticks: readonly string[]
  /** Jobs that are not done. */
  readonly jobs: number
}

/** Milliseconds that the effect of a disturbance may be seen after it: leases expire, attempts are repeated. */
const echoMs = 15_000

/** What happened, and what was found to be wrong. */
export class History {
  readonly deposits: Map<string, Deposit> = new Map()
  readonly disturbances: Disturbance[] = []
  readonly counts: Record<string, number> = {}
  readonly #wrong = new Map<string, { times: number; readonly first: string }>()

  count(what: string, by: number = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by
  }

  /** Notes something that must not happen. */
  wrong(what: string, detail: string): void {
    const known = this.#wrong.get(what)
    if (known === undefined) this.#wrong.set(what, { times: 1, first: detail })
    else known.times += 1
  }

  /** What was wrong, with how often it was and the first time. */
  get found(): readonly string[] {
    return [...this.#wrong].map(([what, { times, first }]) => `${what} (${times}): ${first}`)
  }

  /** Whether something was disturbed at this time. */
  isDisturbed(from: number, to: number): boolean {
    return this.disturbances.some((one) => one.from <= to && one.to + echoMs >= from)
  }

  /** Compares what is stored with what was said. */
  judge(rest: Rest): void {
    const rows = Map.groupBy(rest.deposits, ({ op }) => op)
    for (const { op, person, isAcknowledged } of this.deposits.values()) {
      const found = rows.get(op) ?? []
      if (isAcknowledged && found.length === 0) this.wrong('an acknowledged deposit is lost', op)
      if (found.length > 1) this.wrong('a deposit was made twice', op)
      if (found.some((row) => row.person !== person)) {
        this.wrong('a deposit belongs to somebody else', op)
      }
    }
    for (const op of rows.keys()) {
      if (!this.deposits.has(op)) this.wrong('a deposit that nobody asked for', op)
    }
    this.#judgeReceipts(rest, new Set(rows.keys()))
    for (const [due, times] of Map.groupBy(rest.ticks, (due) => due)) {
      if (times.length > 1) this.wrong('a due time was run twice', due)
    }
    if (rest.jobs > 0) this.wrong('jobs are not done', String(rest.jobs))
  }

  #judgeReceipts({ receipts, mails }: Rest, deposited: ReadonlySet<string>): void {
    const written = Map.groupBy(receipts, ({ op }) => op)
    const sent = Map.groupBy(mails, ({ op }) => op)
    for (const op of deposited) {
      const found = written.get(op) ?? []
      if (found.length === 0) this.wrong('a deposit has no receipt', op)
      if (new Set(found.map(({ job }) => job)).size > 1) this.wrong('a job was added twice', op)
      this.#judgeTwice('a job was done twice with nothing in its way', op, found)
      if (!sent.has(op)) this.wrong('a deposit has no mail', op)
      this.#judgeTwice('a mail was sent twice with nothing in its way', op, sent.get(op) ?? [])
    }
    for (const op of [...written.keys(), ...sent.keys()]) {
      if (!deposited.has(op)) this.wrong('a receipt without a deposit', op)
    }
  }

  // A job is done at least once: again only if its worker died, or lost its store or its mail server.
  #judgeTwice(what: string, op: string, found: readonly { readonly at: number }[]): void {
    if (found.length < 2) return
    const times = found.map(({ at }) => at)
    if (!this.isDisturbed(Math.min(...times), Math.max(...times))) this.wrong(what, op)
    this.count('done again after a disturbance')
  }
}
