import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snakeCase } from './column-reference.ts'

test('a property becomes a column in snake case, and an acronym in it stays one word', () => {
  const names = {
    id: 'id',
    createdAt: 'created_at',
    authorId: 'author_id',
    userID: 'user_id',
    HTMLBody: 'html_body',
    lastHTTPStatus: 'last_http_status',
    line2Text: 'line2_text',
    already_snake: 'already_snake',
    Title: 'title',
  }
  for (const [property, name] of Object.entries(names)) assert.equal(snakeCase(property), name)
})
