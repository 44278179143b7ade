import { createHmac, randomUUID } from 'node:crypto'
import { toError } from '../base/to-error.ts'
import { cut } from '../errors/reports/page-text.ts'
import { momentText } from '../i18n/day.ts'
import { Message } from '../mail/message.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { ErrorNews } from './error-group.ts'
import type { ErrorStore } from './sql-errors.ts'

/** Where news go, and when; empty texts for nowhere and always. */
export interface TellOptions {
  /** Gets a mail. */
  readonly mail: string
  /** Gets a POST: of Slack and Discord as their message, of others as JSON. */
  readonly webhook: string
  /** Signs what is posted. */
  readonly webhookSecret: string
  /** `22-7`: hours in which nothing is told. */
  readonly quietHours: string
}

/** What a teller needs besides. */
export interface TellerContext {
  readonly mailer: Mailer
  /** The address of the site. */
  readonly url: string
  readonly timeZone: string
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

/** Between two looks for news, and half of it more at random: processes of a fleet do not all look at once. */
const lookMs = 12_000
/** Before each further attempt; together less than the minutes between two messages. */
const retriesMs: readonly number[] = [15_000, 45_000]
const timeoutMs = 10_000
const maxNamed = 10

interface Channel {
  readonly name: string
  readonly send: (news: NewsMessage) => Promise<boolean>
}

/** Tells the news of an inbox by mail and webhook. However slow or dead those are, nothing else waits. */
export class ErrorTeller {
  readonly #store: ErrorStore
  readonly #context: TellerContext
  readonly #channels: readonly Channel[]
  readonly #quietHours: string
  #running: Promise<void> | null = null
  #dueMs = 0
  /** What is being told, and who does not have it yet. */
  #news: readonly ErrorNews[] = []
  #message: NewsMessage | null = null
  #open: readonly Channel[] = []
  #attempts = 0

  constructor(store: ErrorStore, options: TellOptions, context: TellerContext) {
    const { mail, webhook, webhookSecret, quietHours } = options
    this.#store = store
    this.#context = context
    this.#quietHours = quietHours
    const byMail = (news: NewsMessage) => sendMail(context.mailer, mail, news)
    const byWebhook = (news: NewsMessage) => post(webhook, webhookSecret, news, context.nowMs())
    this.#channels = [
      ...(mail === '' ? [] : [{ name: 'mail', send: byMail }]),
      ...(webhook === '' ? [] : [{ name: 'webhook', send: byWebhook }]),
    ]
  }

  /** Whether there is anybody to tell. */
  get tells(): boolean {
    return this.#channels.length > 0
  }

  /** Looks for news if it is time to. Never rejects; calls at the same time share one run. */
  look(): Promise<void> {
    if (!this.tells || this.#context.nowMs() < this.#dueMs) return Promise.resolve()
    this.#running ??= this.#look().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #look(): Promise<void> {
    const { nowMs, url, warn } = this.#context
    this.#dueMs = nowMs() + lookMs * (1 + Math.random() / 2)
    try {
      if (this.#message === null) {
        if (isQuiet(this.#quietHours, nowMs(), this.#context.timeZone)) return
        const news = await this.#store.takeNews()
        if (news.length === 0) return
        this.#news = news
        this.#message = newsMessage(news, url)
        this.#open = this.#channels
        this.#attempts = 0
      }
      await this.#send(this.#message)
    } catch (thrown) {
      // Errors wait for the database, and news with them.
      warn('news of errors cannot be told now', { reason: toError(thrown).message })
    }
  }

  async #send(message: NewsMessage): Promise<void> {
    const { nowMs, warn } = this.#context
    const sent = await Promise.all(this.#open.map(({ send }) => send(message).catch(() => false)))
    this.#open = this.#open.filter((_, at) => sent[at] === false)
    const retryMs = retriesMs[this.#attempts]
    this.#attempts += 1
    if (this.#open.length > 0 && retryMs !== undefined) {
      this.#dueMs = nowMs() + retryMs
      return
    }
    this.#message = null
    for (const { name } of this.#open) warn(`the ${name} for news of errors does not work`, {})
    await this.#store.forgetNews(this.#news)
  }
}

/** Whether the clocks of a zone are in hours such as `22-7`. */
function isQuiet(hours: string, nowMs: number, timeZone: string): boolean {
  if (hours === '') return false
  const [from = 0, to = 0] = hours.split('-').map(Number)
  const hour = Number(momentText(nowMs / 1_000, timeZone).slice(11, 13))
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}

/** News as they are sent, those that occur most often first; at most ten have a name. */
export interface NewsMessage {
  /** `2 new errors, 1 spike on shop.example.org` */
  readonly title: string
  readonly named: readonly (ErrorNews & { readonly url: string; readonly summary: string })[]
  /** How many others there are, with a link; empty if there are none. */
  readonly rest: string
  /** All of it, without markup. */
  readonly text: string
}

const nouns = { new: 'new error', returned: 'returned error', spike: 'spike' } as const

/** What is said about news of a site. */
export function newsMessage(news: readonly ErrorNews[], site: string): NewsMessage {
  const parts = Object.entries(nouns).flatMap(([kind, noun]) => {
    const count = news.filter((one) => one.kind === kind).length
    return count === 0 ? [] : counted(count, noun)
  })
  const title = `${parts.join(', ')} on ${new URL(site).host}`
  const named = news
    .toSorted((a, b) => b.group.count - a.group.count)
    .slice(0, maxNamed)
    .map(({ kind, group }) => {
      const { count, hours, lastRelease, fingerprint } = group
      const facts = [
        nouns[kind],
        counted(count, 'time'),
        kind === 'spike' && `${counted(hours.at(-1) ?? 0, 'time')} in this hour`,
        lastRelease !== '' && `release ${lastRelease}`,
      ]
      const url = new URL(`/errors/${fingerprint}`, site).href
      return { kind, group, url, summary: facts.filter(Boolean).join(', ') }
    })
  const more = news.length - named.length
  const rest = more === 0 ? '' : `and ${more} more: ${new URL('/errors', site).href}`
  const lines = named.map(({ group, summary, url }) => {
    const place = group.place === '' ? '' : ` in ${group.place}`
    return `${group.class}: ${cut(group.message, 120)}${place} (${summary})\n${url}`
  })
  return { title, named, rest, text: [title, ...lines, rest].filter(Boolean).join('\n\n') }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

async function sendMail(mailer: Mailer, to: string, news: NewsMessage): Promise<boolean> {
  const { newsMail } = await import('./inbox-views.ts')
  const { title: subject, text } = news
  return mailer.deliver(new Message({ to, subject, text: `${text}\n`, html: newsMail(news) }))
}

async function post(
  url: string,
  secret: string,
  news: NewsMessage,
  nowMs: number,
): Promise<boolean> {
  const body = webhookBody(url, news)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(body, secret, nowMs) },
    body,
    // Elsewhere nobody is meant to read it.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  return response.ok
}

/** What is posted: a message of Slack or Discord, or for others everything, with the same text in it. */
export function webhookBody(url: string, news: NewsMessage): string {
  const { host } = new URL(url)
  const { title, named, rest, text } = news
  if (host === 'hooks.slack.com') {
    const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return JSON.stringify({ text: plain })
  }
  if (/(?:^|\.)discord(?:app)?\.com$/.test(host)) {
    // Nobody is called by what an error says.
    return JSON.stringify({ content: cut(text, 1_900), allowed_mentions: { parse: [] } })
  }
  return JSON.stringify({ type: 'errors.news', text, data: { title, news: named, rest } })
}

/** The headers of Standard Webhooks; none without a secret. */
function signed(body: string, secret: string, nowMs: number): Readonly<Record<string, string>> {
  if (secret === '') return {}
  const [id, timestamp] = [randomUUID(), String(Math.floor(nowMs / 1_000))]
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest}`,
  }
}
