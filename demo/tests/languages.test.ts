import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { demoAccount } from '../demo-account.ts'
import { languages } from '../languages.ts'
import { serveDemo } from './serve-demo.ts'

const app = await serveDemo()
after(() => app.close())

test('every text is there in every language', () => {
  assert.deepEqual(languages.problems(), [])
})

test('a page is in the language that the browser prefers', async () => {
  for (const [language, lead] of [
    ['en', 'The same list in two ways'],
    ['de', 'Dieselbe Liste auf zwei Arten'],
    ['fr', 'La même liste de deux façons'],
    ['es', 'La misma lista de dos maneras'],
  ]) {
    const headers = { accept: 'text/html', 'accept-language': `${language}, x;q=0.5` }
    const { text } = await app.inject({ url: '/items', headers })
    assert.ok(text.includes(`<html lang="${language}">`), language)
    assert.ok(text.includes(`<p class="lead">${lead}`), language)
  }
})

test('categories are named in that language, and filtered by their own names', async () => {
  const headers = { accept: 'text/html', 'accept-language': 'de' }
  const { text } = await app.inject({ url: '/items?category=Kitchen', headers })
  assert.match(text, /<option value="Kitchen" selected>Küche<\/option>/)
  assert.match(text, /<caption>\d+ Artikel, Seite 1 von \d+<\/caption>/)
})

test('a guest chooses a language where there is a form anyway, a member everywhere', async () => {
  const visitor = app.visitor()
  assert.doesNotMatch((await visitor.ask('/')).text, /action="\/language"/)
  assert.match((await visitor.ask('/login')).text, /<option value="es" lang="es">español<\/option>/)
  const { to } = await visitor.submit('/language', { language: 'es', to: '/login' })
  assert.equal(to, '/login')
  assert.match((await visitor.ask('/')).text, /<html lang="es">/)
  await visitor.submit('/login', demoAccount)
  const { text } = await visitor.ask('/')
  assert.match(text, /<option value="es" lang="es" selected>/)
  assert.match(text, /Sesión iniciada como <strong class="email">/)
})
