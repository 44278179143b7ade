import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shiftClock } from '../base/time/epoch-seconds.ts'
import { Forms } from '../http/middlewares/forms.ts'
import { Server } from '../http/server/server.ts'
import { Visitor } from './visitor.ts'

function newSite(): Server {
  const server = new Server({ environment: 'test' })
  server.use(new Forms())
  return server
}

const formPage = `<!doctype html><title>New note</title>
  <form action="/search"><input name="q"><button>Search</button></form>
  <!-- <form action="/hidden"><input name="title"></form> -->
  <form method="post" action="/notes">
    <input type="hidden" name="_token" value="a&amp;b">
    <label for="title">The title</label> <input id="title" name="title" value="Old">
    <label>Text <textarea name="text">
1 &lt; 2</textarea></label>
    <label>Colour <select name="colour"><option>red</option><option value="g" selected>green</option></select></label>
    <label><input type="checkbox" name="pinned"> Pinned</label>
    <label><input type="checkbox" name="shared" value="yes" checked> Shared</label>
    <label><input type="radio" name="size" value="s" checked> Small</label>
    <label><input type="radio" name="size" value="l"> Large</label>
    <input name="gone" value="x" disabled>
    <button name="do" value="save">Save it</button> <button name="do" value="drop">Delete</button>
  </form>`

/** A site with that form, which shows the fields it has received. */
function noteSite(): Server {
  const site = newSite()
  site.router.get('/notes/new', (_request, response) => response.html(formPage))
  site.router.get('/search', ({ URI }) => URI)
  site.router.post('/notes', ({ fields }, response) => {
    return response.redirect(`/shown?${new URLSearchParams(Object(fields)).toString()}`)
  })
  site.router.get('/shown', (_request, response) =>
    response.html('<div class="flash info"><svg></svg> <div>Saved &amp; <b>sent</b></div></div>'),
  )
  return site
}

test('a form is sent with all its fields, as a browser would', async () => {
  const visitor = new Visitor(noteSite())
  await visitor.open('/notes/new')
  const { status, to, message } = await visitor.fill(
    { 'The title': 'New', pinned: true, Large: true },
    { press: 'Save it' },
  )
  assert.equal(status, 303)
  assert.deepEqual(Object.fromEntries(new URL(to ?? '', 'http://x').searchParams), {
    _token: 'a&b',
    title: 'New',
    text: '1 < 2',
    colour: 'g',
    pinned: 'on',
    shared: 'yes',
    size: 'l',
    do: 'save',
  })
  assert.equal(message, 'Saved & sent')
})

test('boxes can be cleared, radio buttons chosen by name, and a GET form has its fields in the query', async () => {
  const visitor = new Visitor(noteSite())
  await visitor.open('/notes/new')
  const { to } = await visitor.fill({ Shared: false, size: 'l', Colour: 'red' })
  const sent = new URL(to ?? '', 'http://x').searchParams
  assert.deepEqual([sent.get('shared'), sent.get('size'), sent.get('colour')], [null, 'l', 'red'])
  await visitor.open('/notes/new')
  assert.equal((await visitor.fill({ q: 'a b' }, { press: 'Search' })).page, '/search?q=a+b')
})

test('a link is followed by its text, from where the page is', async () => {
  const site = newSite()
  const pages = `<a href="/">Home</a> <a href="?cursor=a%20b&amp;q=1"><b>Older</b> rows</a>
    <a href="x" aria-label="Delete Milk">x</a> <a href="https://elsewhere.example/">Away</a>`
  site.router.get('/notes', (_request, response) => response.html(pages))
  site.router.get('/x', ({ URI }) => URI)
  const visitor = new Visitor(site)
  await visitor.open('/notes')
  assert.equal((await visitor.click('Delete Milk')).page, '/x')
  await visitor.open('/notes')
  await visitor.click('Older rows')
  await assert.rejects(visitor.click('Newer'), {
    name: 'AssertionError',
    message:
      'no link on /notes?cursor=a%20b&q=1 is called Newer; its links: Home, Older rows, Delete Milk, Away',
  })
  await assert.rejects(
    visitor.click('Away'),
    /leads to another site, https:\/\/elsewhere\.example\/$/,
  )
})

test('a form that is not there is told, with those that are', async () => {
  const visitor = new Visitor(noteSite())
  await visitor.open('/notes/new')
  await assert.rejects(visitor.fill({ Name: 'x' }), {
    name: 'AssertionError',
    message: /^no form on \/notes\/new has Name; its forms have: q, \[Search\]; The title, Text/,
  })
  await assert.rejects(visitor.press('Send'), /has the button Send/)
  await visitor.open('/shown')
  await assert.rejects(visitor.press('Send'), /it has no forms/)
})

test('files are sent where the form has room for them', async () => {
  const site = newSite()
  const enctype = 'enctype="multipart/form-data"'
  site.router.get('/new', (_request, response) =>
    response.html(`<form method="post" ${enctype}><input type="file" name="receipt"></form>`),
  )
  site.router.post('/new', ({ files }) => files.map(({ field, size }) => `${field} ${size}`), {
    uploads: {},
  })
  const visitor = new Visitor(site)
  await visitor.open('/new')
  const { page } = await visitor.fill({ receipt: new File(['3 EUR'], 'receipt.txt') })
  assert.equal(page, '["receipt 5"]')
})

test('cookies are kept until they end, by the clock that travels', async (t) => {
  const site = newSite()
  site.router.get('/set', (_request, response) =>
    response.header('Set-Cookie', 'short=1; Max-Age=60').text('set'),
  )
  site.router.get('/drop', (_request, response) =>
    response.header('Set-Cookie', 'short=; Max-Age=0').text('dropped'),
  )
  site.router.get('/cookies', (request) => request.header('cookie') ?? 'none')
  const visitor = new Visitor(site)
  await visitor.ask('/set')
  assert.equal((await visitor.ask('/cookies')).text, 'short=1')
  shiftClock(61)
  t.after(() => shiftClock(-61))
  assert.equal((await visitor.ask('/cookies')).text, 'none')
  await visitor.ask('/set')
  await visitor.ask('/drop')
  assert.equal(visitor.cookies.size, 0)
})

test('redirects are followed inside the site, and not without end', async () => {
  const site = newSite()
  site.router.get('/a', (_request, response) => response.redirect('/b'))
  site.router.get('/b', (_request, response) => response.redirect('/c'))
  site.router.get('/c', (_request, response) =>
    response.html('<p id="email-error"><i></i><span>It is taken.</span></p>'),
  )
  site.router.get('/loop', (_request, response) => response.redirect('/loop'))
  const visitor = new Visitor(site)
  const { to, errors } = await visitor.open('/a')
  assert.deepEqual([to, errors], ['/b', { email: 'It is taken.' }])
  assert.equal((await visitor.open('/loop')).status, 303)
})
