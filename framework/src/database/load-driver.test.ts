import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ConfigurationError } from '../base/errors.ts'
import { loadDriver } from './load-driver.ts'

// A variable, so that the compiler does not look for it.
const missing: string = 'framework-package-that-nobody-has'

test('an installed driver is returned', async () => {
  const driver = { open: 1 }
  assert.equal(await loadDriver('pg', () => Promise.resolve(driver)), driver)
})

test('a missing package is an error that says what to install', async () => {
  const load = loadDriver(missing, () => import(missing))
  await assert.rejects(load, ConfigurationError)
  await assert.rejects(load, {
    code: 'E_DATABASE_DRIVER',
    message: `this database needs the package ${missing}, which is not installed: npm install ${missing}`,
  })
})

test('any other failure of a driver is passed on', async () => {
  await assert.rejects(
    loadDriver('pg', () => import(missing)),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
  const broken = new Error("Cannot use 'pg'")
  await assert.rejects(
    loadDriver('pg', () => Promise.reject(broken)),
    broken,
  )
})
