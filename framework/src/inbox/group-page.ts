import { html } from '../errors/reports/page-text.ts'
import { tokenField } from '../http/middlewares/csrf-token.ts'
import { definition, documentOf, moment } from '../devtools/page-frame.ts'
import { ErrorStates } from './error-store.ts'
import type { ErrorDetails, ErrorGroup } from './error-store.ts'
import { inboxStyle } from './inbox-style.ts'
import { accountsText, noticeCard, returnNote } from './list-page.ts'
import { codeText, samplePart } from './sample-part.ts'
import type { SampleView } from './sample-part.ts'

/** What the page of a group shows. */
export interface GroupPage extends SampleView {
  /** The CSRF token of its forms. */
  readonly token: string
  /** The release that runs; empty if unknown. */
  readonly release: string
  /** A message of the last request; empty if there is none. */
  readonly notice: string
}

/** One group with its samples, and the buttons that decide about it. */
export function groupPage(page: GroupPage, nonce: string): string {
  const { details, notice } = page
  const { group } = details
  const message = group.message === '' ? '(no message)' : html(group.message)
  const body =
    `<header><nav aria-label="Site"><a href="/errors?state=${group.state}">All errors</a></nav>` +
    `<h1><span class="class">${html(group.class)}</span> <span class="message">${message}</span></h1>` +
    `<p class="count"><span class="state">${group.state}</span></p>${returnNote(group)}` +
    `${actions(page)}</header><main>${noticeCard(notice)}${facts(details)}` +
    `${samplePart(page)}</main>`
  return documentOf(`${group.class}: ${group.message}`, body, nonce, inboxStyle)
}

function actions({ details: { group }, token, release }: GroupPage): string {
  const { fingerprint, state } = group
  const field = `<input type="hidden" name="${tokenField}" value="${html(token)}">`
  const form = (action: string, button: string): string =>
    `<form method="post" action="/errors/${fingerprint}/${action}">${field}${button}</form>`
  const buttons = []
  if (state !== ErrorStates.Resolved) {
    buttons.push(form('resolve', '<button class="first">Resolve</button>'))
    if (release !== '') {
      const next = '<button name="release" value="next">Resolve in the next release</button>'
      buttons.push(form('resolve', next))
    }
  }
  if (state !== ErrorStates.Muted) buttons.push(form('mute', '<button>Mute</button>'))
  if (state !== ErrorStates.Open) buttons.push(form('reopen', '<button>Reopen</button>'))
  return `<div class="actions">${buttons.join('')}</div>`
}

function facts({ group, accounts, titles, releases }: ErrorDetails): string {
  const { count, firstSeen, firstRelease, lastSeen, lastRelease, place, code } = group
  const rows = [
    definition('Count', count.toLocaleString('en')),
    definition('First seen', moment(firstSeen) + inRelease(firstRelease)),
    definition('Last seen', moment(lastSeen) + inRelease(lastRelease)),
    definition('Resolved', resolvedText(group)),
    definition('Accounts', listText(accounts, accountsText(accounts.length))),
    definition('Occurred in', titles.map(codeText).join(', ')),
    definition('Releases', releases.map(html).join(', ')),
    definition('Place', place === '' ? '' : codeText(place)),
    definition('Code', code === null ? '' : codeText(code)),
  ]
  return `<dl class="card">${rows.join('')}</dl>`
}

function inRelease(release: string): string {
  return release === '' ? '' : ` in ${html(release)}`
}

function resolvedText({ resolvedAt, resolvedRelease }: ErrorGroup): string {
  if (resolvedAt === null) return ''
  const until =
    resolvedRelease === null ? '' : `; it may still occur in release ${html(resolvedRelease)}`
  return moment(resolvedAt) + until
}

function listText(ids: readonly string[], total: string): string {
  if (ids.length === 0) return '0'
  return `<details><summary>${total}</summary>${ids.map(codeText).join(', ')}</details>`
}
