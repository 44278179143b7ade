/** An entry of a navigation by page: a page, or a gap between two of them. */
export interface PageNumber {
  /** Null for a gap. */
  readonly page: number | null
  /** Path and query of the page; null for a gap. */
  readonly href: string | null
  /** Whether it is the page that is shown: `aria-current="page"`. */
  readonly current: boolean
  /** Its name for people who hear it, `Page 4`; `…` for a gap, which is for eyes only. */
  readonly label: string
}

/** Options of `pageNumbers`. */
export interface PageNumbersOptions {
  /** The page that is shown. */
  readonly page: number
  /** The number of the last page. */
  readonly pages: number
  /** Whether there may be more pages after the last. @default false */
  readonly open?: boolean
  /** Pages on each side of the shown one. @default 1 */
  readonly around?: number
  /** Path and query of a page. */
  readonly href: (page: number) => string
}

/**
 * The pages to link to: the first, the last and those around the shown one, `1 … 4 5 6 … 90`. A gap stands
 * for at least two pages. Empty if there is at most one page.
 */
export function pageNumbers(options: PageNumbersOptions): readonly PageNumber[] {
  const { page, pages, open = false, around = 1 } = options
  if (pages <= 1 && !open) return []
  const shown = shownPages(Math.min(page, pages), pages, around)
  const numbers: PageNumber[] = []
  let before = 0
  for (const number of shown) {
    if (number - before === 2) numbers.push(entry(number - 1, options))
    else if (number - before > 2) numbers.push(gap)
    numbers.push(entry(number, options))
    before = number
  }
  if (open) numbers.push(gap)
  return numbers
}

const gap: PageNumber = Object.freeze({ page: null, href: null, current: false, label: '…' })

function shownPages(page: number, pages: number, around: number): readonly number[] {
  const from = Math.max(1, page - around)
  const to = Math.min(pages, page + around)
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  return [...new Set([1, ...near, pages])].filter((number) => number >= 1)
}

function entry(number: number, { page, href }: PageNumbersOptions): PageNumber {
  return { page: number, href: href(number), current: number === page, label: `Page ${number}` }
}
