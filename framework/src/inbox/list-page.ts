import { html } from '../errors/reports/page-text.ts'
import { documentOf, moment } from '../devtools/page-frame.ts'
import { ErrorLimits, ErrorOrders, ErrorStates } from './error-store.ts'
import type { ErrorGroup, ErrorList, ErrorQuery } from './error-store.ts'
import { inboxStyle } from './inbox-style.ts'

/** What the list shows. */
export interface ListPage {
  readonly list: ErrorList
  readonly query: ErrorQuery
  /** Reports that this process could not keep. */
  readonly lost: number
  /** A message of the last request; empty if there is none. */
  readonly notice: string
}

const stateNames: Readonly<Record<ErrorStates, string>> = {
  open: 'Open',
  resolved: 'Resolved',
  muted: 'Muted',
}
const orderNames: Readonly<Record<ErrorOrders, string>> = { last: 'Last seen', count: 'Count' }

/** The groups of one state. */
export function listPage({ list, query, lost, notice }: ListPage, nonce: string): string {
  const body =
    `<header><nav aria-label="Site"><a href="/">Back to the site</a></nav><h1>Errors</h1>` +
    `${lost === 0 ? '' : lostNote(lost)}</header><main>${noticeCard(notice)}` +
    `${tools(list, query)}${list.groups.length === 0 ? nothing(list, query) : table(list.groups)}` +
    `${pages(list, query)}</main>`
  return documentOf('Errors', body, nonce, inboxStyle)
}

/** A message above the content. */
export function noticeCard(notice: string): string {
  return notice === '' ? '' : `<p class="card notice" role="status">${html(notice)}</p>`
}

function lostNote(lost: number): string {
  const reports = lost === 1 ? '1 report' : `${lost.toLocaleString('en')} reports`
  return `<p class="count">${reports} could not be kept since this process started.</p>`
}

function tools({ totals }: ErrorList, query: ErrorQuery): string {
  const states = Object.values(ErrorStates).map((state) => {
    const current = state === query.state ? ' aria-current="page"' : ''
    const total = totals[state].toLocaleString('en')
    return `<li><a href="${linkTo(query, { state })}"${current}>${stateNames[state]} ${total}</a></li>`
  })
  const orders = Object.values(ErrorOrders).map((order) => {
    const current = order === query.order ? ' aria-current="true"' : ''
    return `<li><a href="${linkTo(query, { order })}"${current}>${orderNames[order]}</a></li>`
  })
  return (
    `<div class="tools"><nav aria-label="State"><ul class="states">${states.join('')}</ul></nav>` +
    `${searchForm(query)}<nav aria-label="Order"><ul class="orders">` +
    `<li class="note">Sorted by</li>${orders.join('')}</ul></nav></div>`
  )
}

function searchForm({ state, order, search }: ErrorQuery): string {
  return (
    `<form class="search" role="search" action="/errors">` +
    `<input type="hidden" name="state" value="${state}">` +
    `<input type="hidden" name="order" value="${order}">` +
    `<input type="search" name="q" value="${html(search)}" aria-label="Search" ` +
    `placeholder="Class, message, code or file" maxlength="100"><button>Search</button></form>`
  )
}

function nothing({ matching }: ErrorList, { search, state }: ErrorQuery): string {
  if (matching > 0) return `<p class="card none">There are no more errors.</p>`
  const reason =
    search === ''
      ? `There are no ${state} errors.`
      : `No ${state} error contains “${html(search)}”.`
  return `<p class="card none">${reason}</p>`
}

function table(groups: readonly ErrorGroup[]): string {
  return (
    `<div class="card"><table><thead><tr><th scope="col">Error</th>` +
    `<th scope="col" class="number">Count</th><th scope="col" class="number">Accounts</th>` +
    `<th scope="col">Last seen</th></tr></thead><tbody>${groups.map(row).join('')}</tbody></table></div>`
  )
}

function row(group: ErrorGroup): string {
  const { fingerprint, message, place, code, count, accounts, lastSeen, lastRelease } = group
  const where = [place, code ?? ''].filter((part) => part !== '').map(html)
  const title = message === '' ? '(no message)' : html(message)
  return (
    `<tr><td><span class="class">${html(group.class)}</span>` +
    `<a class="message" href="/errors/${fingerprint}">${title}</a>` +
    `${where.length === 0 ? '' : `<p class="note">${where.join(' · ')}</p>`}${returnNote(group)}</td>` +
    `<td class="number" data-unit="${count === 1 ? 'time' : 'times'}">${count.toLocaleString('en')}</td>` +
    `<td class="number" data-unit="${accounts === 1 ? 'account' : 'accounts'}">` +
    `${accountsText(accounts)}</td>` +
    `<td>${moment(lastSeen)}${lastRelease === '' ? '' : `<p class="note">in ${html(lastRelease)}</p>`}</td></tr>`
  )
}

/** Says that a group came back, and in which release. */
export function returnNote({ returnedAt, returnedRelease }: ErrorGroup): string {
  if (returnedAt === null) return ''
  const release = returnedRelease ?? ''
  return `<p class="note back">Came back${release === '' ? '' : ` in release ${html(release)}`}</p>`
}

/** The number of accounts; beyond what is kept, at least so many. */
export function accountsText(accounts: number): string {
  return accounts < ErrorLimits.accounts ? String(accounts) : `${ErrorLimits.accounts}+`
}

function pages({ matching }: ErrorList, query: ErrorQuery): string {
  const { offset, limit } = query
  if (matching <= limit) return ''
  const page = offset / limit + 1
  const last = Math.ceil(matching / limit)
  const link = (to: number, text: string): string =>
    `<li><a href="${linkTo(query, { page: to })}">${text}</a></li>`
  return (
    `<nav aria-label="Pages"><ul class="pages count">${page > 1 ? link(page - 1, 'Previous') : ''}` +
    `<li>Page ${page} of ${last}</li>${page < last ? link(page + 1, 'Next') : ''}</ul></nav>`
  )
}

interface Change {
  readonly state?: ErrorStates
  readonly order?: ErrorOrders
  readonly page?: number
}

function linkTo(query: ErrorQuery, { state, order, page = 1 }: Change): string {
  const parameters = new URLSearchParams({
    state: state ?? query.state,
    order: order ?? query.order,
    ...(query.search !== '' && { q: query.search }),
    ...(page > 1 && { page: String(page) }),
  })
  return html(`/errors?${parameters.toString()}`)
}
