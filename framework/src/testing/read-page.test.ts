import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOn, linkNamed, messageOn, tokenOn, valueOn } from './read-page.ts'

test('a page is read as a browser without JavaScript reads it', () => {
  const page = `<!doctype html><script>document.write('<p class="flash">no</p>')</script>
    <template><p class="flash">no</p><form><input name="_token" value="no"></form></template>
    <noscript><p class="flash warning">Caf&eacute; &lt; 5&nbsp;&euro;<br>each</p></noscript>
    <p class="flash">second</p>`
  assert.equal(messageOn(page), 'Café < 5 € each')
  assert.equal(tokenOn(page), '')
})

test('tags that are not closed, and quotes and signs in attributes, do no harm', () => {
  const page = `<form method=post><input name=_token value="a>b"><p id=email-error>It is taken
    <p id="name-error" title='"x"'>Too long</form><ul><li><a href=/one title="1 > 0">One<li><a href=/two>Two</ul>`
  assert.equal(valueOn(page, '_token'), 'a>b')
  assert.deepEqual(errorsOn(page), { email: 'It is taken', name: 'Too long' })
  assert.equal(linkNamed(page, 'Two', '/'), '/two')
})

test('what is no page has no message, no errors and no values', () => {
  for (const text of ['', '["a"]', '/search?q=a+b']) {
    assert.equal(messageOn(text), null)
    assert.deepEqual(errorsOn(text), {})
    assert.equal(valueOn(text, 'a'), null)
  }
})
