import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectedResponse } from 'framework/http'
import { serveDemo } from './serve-demo.ts'

const app = await serveDemo()
after(() => app.close())

const html = { accept: 'text/html' }
const problem = { accept: 'application/problem+json' }

/** The JSON body of a list. */
interface List {
  readonly items: readonly Readonly<Record<string, string | number>>[]
  readonly limit: number
  readonly page?: number
  readonly pages?: number
  readonly total?: number
  readonly next?: string | null
}

async function list(url: string): Promise<List & { readonly answer: InjectedResponse }> {
  const answer = await app.inject({ url })
  assert.equal(answer.status, 200)
  const body: List = JSON.parse(answer.text)
  return { ...body, answer }
}

async function page(url: string): Promise<string> {
  const { status, headers, text } = await app.inject({ url, headers: html })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/html/)
  return text
}

/** The address of a link on the page. */
function target(text: string, rel: string): string | null {
  const found = new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1]
  return found?.replaceAll('&amp;', '&') ?? null
}

test('a JSON client gets a page of items and pagination headers', async () => {
  const { items, page: number, pages, limit, total, answer } = await list('/items')
  assert.deepEqual([items.length, number, pages, limit, total], [10, 1, 20, 10, 200])
  assert.equal(answer.headers['x-total-count'], '200')
  assert.equal(answer.headers['link'], '</items?limit=10&page=2>; rel="next"')
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(items[0] ?? {}), [
    'id',
    'name',
    'category',
    'price',
    'stock',
    'createdAt',
  ])
})

test('walking by cursor visits every item once', async () => {
  const seen: unknown[] = []
  let next: string | null = ''
  while (next !== null) {
    const url: string = `/items?order=cheapest&limit=30&cursor=${next}`
    const { items, next: following = null } = await list(url)
    seen.push(...items.map(({ id }) => id))
    next = following
  }
  assert.equal(seen.length, 200)
  assert.equal(new Set(seen).size, 200)
})

test('filters narrow the list and stay in its links', async () => {
  const { items, total, answer } = await list('/items?category=Garden&available=1&limit=5&q=oak')
  assert.ok(Number(total) > 0 && Number(total) <= 5)
  for (const { name, category, stock } of items) {
    assert.match(String(name), /Oak/)
    assert.equal(category, 'Garden')
    assert.ok(Number(stock) > 0)
  }
  assert.equal(answer.headers['link'], undefined)
  const inStock = await list('/items?available=1&limit=100')
  assert.ok(Number(inStock.total) < 200)
  assert.ok(inStock.items.every(({ stock }) => Number(stock) > 0))
  const { answer: first } = await list('/items?category=Study&order=dearest')
  assert.equal(
    first.headers['link'],
    '</items?category=Study&order=dearest&limit=10&page=2>; rel="next"',
  )
})

test('prices are ordered as numbers, ties by id', async () => {
  const { items } = await list('/items?order=cheapest&limit=100')
  const prices = items.map(({ price, id }) => [Number(price), Number(id)] as const)
  const sorted = prices.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])
  assert.deepEqual(prices, sorted)
})

test('what the list does not know is a 400 that names it, and an empty field counts as missing', async () => {
  for (const query of ['order=price;drop', 'order=toString', 'colour=red', 'available=maybe']) {
    const answer = await app.inject({ url: `/items?${query}`, headers: problem })
    assert.equal(answer.status, 400)
    assert.match(answer.text, new RegExp(`"parameter":"${query.split('=')[0]}"`))
    const status = query === 'colour=red' ? 200 : 400
    assert.equal((await app.inject({ url: `/items?${query}`, headers: html })).status, status)
  }
  const usual = await list('/items')
  assert.deepEqual((await list('/items?q=&category=&order=')).items, usual.items)
})

test('a cursor is signed: it fits only the filters that it was made with', async () => {
  const { next } = await list('/items?category=Garden&cursor=')
  assert.ok(next)
  assert.equal((await list(`/items?category=Garden&cursor=${next}`)).items.length, 10)
  assert.equal((await app.inject({ url: `/items?category=Study&cursor=${next}` })).status, 400)
})

test('special characters in a search are literal', async () => {
  for (const q of ['%', '_', "'; DROP TABLE items; --", '\\']) {
    assert.equal((await list(`/items?q=${encodeURIComponent(q)}`)).total, 0)
  }
  assert.equal((await list('/items')).total, 200)
})

test('a browser gets a table with its position and links', async () => {
  const text = await page('/items?page=2')
  assert.match(text, /<caption>200 items, page 2 of 20<\/caption>/)
  assert.equal(text.match(/<th scope="row">/g)?.length, 10)
  assert.equal(target(text, 'prev'), '/items?limit=10&page=1')
  assert.equal(target(text, 'next'), '/items?limit=10&page=3')
  assert.match(text, /aria-label="Page 2" aria-current="page">2</)
  assert.match(text, /href="\/items\?limit=10&amp;page=20" aria-label="Page 20">20</)
})

test('a link from a newsletter opens the page, whose own links do not keep its parameters', async () => {
  const text = await page('/items?utm_source=mail&q=a&fbclid=x&limit=5')
  assert.equal(target(text, 'next'), '/items?q=a&limit=5&page=2')
  assert.doesNotMatch(text, /utm_source|fbclid/)
})

test('the next links in cursor mode end at the last item', async () => {
  let url: string | null = '/items?cursor=&limit=50'
  let rows = 0
  let text = ''
  while (url !== null) {
    text = await page(url)
    rows += text.match(/<th scope="row">/g)?.length ?? 0
    assert.equal(target(text, 'prev'), null)
    url = target(text, 'next')
  }
  assert.equal(rows, 200)
  assert.equal(target(text, 'first'), '/items?limit=50&cursor=')
})

test('the form shows what was chosen, and escapes it', async () => {
  const text = await page('/items?q=%3Cb%3E&category=Living&order=newest&limit=25&available=1')
  assert.match(text, /value="&lt;b&gt;"/)
  assert.match(text, /<option selected>Living<\/option>/)
  assert.match(text, /<option value="newest" selected>/)
  assert.match(text, /<option selected>25<\/option>/)
  assert.match(text, /name="available" value="1" checked>/)
  assert.match(text, /No items found/)
  assert.doesNotMatch(text, /<b>/)
})

test('an invalid cursor is a 400, as JSON and as a page', async () => {
  const json = await app.inject({ url: '/items?cursor=nonsense' })
  assert.equal(json.status, 400)
  const body: Readonly<Record<string, unknown>> = JSON.parse(json.text)
  assert.deepEqual(Object.keys(body), ['error'])
  assert.match(String(body['error']), /cursor/)

  const shown = await app.inject({ url: '/items?q=oak&cursor=nonsense', headers: html })
  assert.equal(shown.status, 400)
  assert.match(shown.text, /This cursor is not valid/)
  assert.match(shown.text, /href="\/items\?q=oak&amp;cursor="/)
})
