import { type Item, pageSize, type PeerDatabase } from '../peer-database.ts'

/** A page of the items, as JSON has it. */
export interface ItemsPage {
  readonly items: readonly Item[]
  readonly page: number
  readonly pages: number
  readonly limit: number
  readonly total: number
}

/** Reads the page that `?page=` names; anything but a positive number is the first. */
export async function readItemsPage(
  database: PeerDatabase,
  asked: string | undefined,
): Promise<ItemsPage> {
  const number = Number(asked)
  const page = Number.isSafeInteger(number) && number > 0 ? number : 1
  const { items, total } = await database.page(pageSize, (page - 1) * pageSize)
  return { items, page, pages: Math.ceil(total / pageSize), limit: pageSize, total }
}

/** The same for the view, with the addresses of the pages around it. */
export function itemsView(list: ItemsPage): ItemsPage & {
  readonly previous: string | null
  readonly next: string | null
} {
  const { page, pages } = list
  return {
    ...list,
    previous: page > 1 ? `/items?page=${page - 1}` : null,
    next: page < pages ? `/items?page=${page + 1}` : null,
  }
}
