import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { startDemo } from '../support/demo-site.ts'
import { Visitor } from '../support/visitor.ts'
import { goodPassword, register, signIn } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const { url } = await startDemo()
/** How often the browser is closed and reopened; REMEMBER_TEST_ROUNDS changes it. */
const rounds = Number(process.env['REMEMBER_TEST_ROUNDS'] ?? 1)

for (const javaScriptEnabled of [true, false]) {
  const script = javaScriptEnabled ? 'with' : 'without'
  test(
    `a remembered browser that was closed is recognised on / and /login, ${script} JavaScript`,
    { skip },
    async (t) => {
      const email = `${script}@example.org`
      const peer = javaScriptEnabled ? '127.0.0.21' : '127.0.0.22'
      const owner = await Visitor.arrive(t, browser, url, { peer })
      await register(owner, { email, password: goodPassword })
      await owner.context.clearCookies()
      await signIn(owner, { email, password: goodPassword }, { remember: true })
      await owner.sees('/account', 'Welcome back!')
      let cookies = await owner.lastingCookies()
      for (let round = 0; round < rounds; round += 1) {
        for (const path of ['/', '/login']) {
          const visitor = await Visitor.arrive(t, browser, url, { peer, javaScriptEnabled })
          await visitor.context.addCookies(cookies)
          await visitor.open(path)
          if (path === '/') {
            const name = await visitor.page.locator('.pass .email').innerText()
            assert.equal(name, email, `round ${round}`)
          } else assert.equal(visitor.path, '/account', `round ${round}`)
          const renewed = await visitor.lastingCookies()
          assert.notEqual(renewed[0]?.value, cookies[0]?.value)
          cookies = renewed
          await visitor.context.close()
        }
      }
    },
  )
}
