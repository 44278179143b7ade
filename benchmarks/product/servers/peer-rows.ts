import type { Item, Member, MemberWithPassword } from './peer-database.ts'

/** A row as a list, in the order of the statement; drivers differ in what they make of numbers. */
export type Row = readonly unknown[]

/** Reads a row of `statements.page`. Times are text in UTC, with or without a zone. */
export function itemIn([id, name, category, price, stock, createdAt]: Row): Item {
  return {
    id: Number(id),
    name: String(name),
    category: String(category),
    // SQLite has it as a number.
    price: typeof price === 'number' ? price.toFixed(2) : String(price),
    stock: Number(stock),
    createdAt: utcDate(String(createdAt)),
  }
}

/** Reads a row of `statements.member`; null for none. */
export function memberIn(row: Row | undefined): Member | null {
  if (row === undefined) return null
  const [id, email, name] = row
  return { id: Number(id), email: String(email), name: String(name) }
}

/** Reads a row of `statements.memberByEmail`; null for none. */
export function memberWithPasswordIn(row: Row | undefined): MemberWithPassword | null {
  const member = memberIn(row)
  return member === null ? null : { ...member, password: String(row?.[3]) }
}

function utcDate(text: string): Date {
  return new Date(text.endsWith('+00') ? `${text}:00` : `${text}Z`)
}
