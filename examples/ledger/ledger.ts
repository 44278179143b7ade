import type { Database, Surface } from 'framework/database'
import {
  count,
  createdAt,
  decimal,
  entity,
  hasMany,
  key,
  Operators,
  Orders,
  Repository,
  sum,
  text,
} from 'framework/orm'

const money = { precision: 12, scale: 2 } as const

const Accounts = entity('accounts', { name: key.text(), balance: decimal(money) })

const Entries = entity('entries', {
  transferId: key.uuid(),
  line: key.integer(),
  account: text(),
  amount: decimal(money),
})

const Transfers = entity('transfers', {
  id: key.uuid(),
  memo: text(),
  madeAt: createdAt(),
  entries: hasMany(() => Entries, 'transferId'),
})

/** A payment from one account to another. The same id is paid once, however often it is sent. */
export interface Payment {
  readonly id: string
  readonly from: string
  readonly to: string
  /** A decimal, such as '12.50'. */
  readonly amount: string
  readonly memo: string
}

/** What became of a payment. */
export type Outcome = 'paid' | 'known' | 'too-little'

/**
 * A ledger by double entry, safe under concurrency: no account below zero, no money made or lost, no
 * payment twice.
 */
export class Ledger {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async open(names: readonly string[], balance: string): Promise<void> {
    await new Repository(Accounts, this.#database).insertMany(
      names.map((name) => ({ name, balance })),
    )
  }

  pay(payment: Payment): Promise<Outcome> {
    return this.#database.transaction((transaction) => settle(transaction, payment), { retry: 20 })
  }

  /** The sum of all accounts. */
  async total(): Promise<string | null> {
    return new Repository(Accounts, this.#database).sum('balance')
  }

  async balances(): Promise<Readonly<Record<string, string>>> {
    const rows = await new Repository(Accounts, this.#database).all()
    return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
  }

  /** What has come into and gone out of each account, and how often. */
  async statement(): Promise<readonly StatementLine[]> {
    const entries = new Repository(Entries, this.#database)
    const byAccount = entries.select().groupBy('account').order(Orders.Asc, 'account')
    return entries.aggregate(byAccount, { entries: count(), moved: sum('amount') })
  }

  /** Transfers whose entries do not add up, or are not two. There must be none. */
  async unbalanced(): Promise<number> {
    const entries = new Repository(Entries, this.#database)
    const wrong = { entries: count() }
    const sums = entries
      .select()
      .groupBy('transferId')
      .having(sum('amount'), Operators.Unequal, '0.00')
    const counts = entries.select().groupBy('transferId').having(count(), Operators.Unequal, 2)
    const found = [await entries.aggregate(sums, wrong), await entries.aggregate(counts, wrong)]
    return found.flat().length
  }

  /** A transfer with its entries. */
  async transfer(id: string): Promise<readonly string[]> {
    const transfers = new Repository(Transfers, this.#database)
    const one = transfers
      .select()
      .filter('id', Operators.Equal, id)
      .with({ entries: (entries) => entries.order(Orders.Asc, 'line') })
    const found = await transfers.first(one)
    return found?.entries.map(({ account, amount }) => `${account} ${amount}`) ?? []
  }
}

async function settle(surface: Surface, payment: Payment): Promise<Outcome> {
  const { id, from, to, amount, memo } = payment
  const accounts = new Repository(Accounts, surface)
  const transfers = new Repository(Transfers, surface)
  const entries = new Repository(Entries, surface)

  // In the same order for everybody, so that two payments do not wait for each other.
  const both = accounts
    .select()
    .filter('name', Operators.In, [from, to])
    .order(Orders.Asc, 'name')
    .lock('update')
  await accounts.all(both)
  if ((await transfers.find(id)) !== null) return 'known'
  const covered = accounts
    .select()
    .filter('name', Operators.Equal, from)
    .filter('balance', Operators.GreaterOrEqual, amount)
  if (!(await accounts.exists(covered))) return 'too-little'

  await transfers.insert({ id, memo })
  await entries.insertMany([
    { transferId: id, line: 1, account: from, amount: `-${amount}` },
    { transferId: id, line: 2, account: to, amount },
  ])
  await accounts.increment(from, { balance: `-${amount}` })
  await accounts.increment(to, { balance: amount })
  return 'paid'
}

/** A line of the statement. */
export interface StatementLine {
  readonly account: string
  readonly entries: number
  readonly moved: string | null
}
