import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { requireIdentity } from '../../../../../framework/dist/public/auth.js'
import { HttpError, routeSet } from '../../../../../framework/dist/public/http.js'
import { ItemList } from '../entities.ts'
import type { Services } from '../services.ts'

const NewNote = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  text: v.pipe(v.string(), v.maxLength(2000)),
  priority: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)),
})

export const Api = routeSet<Services>('Api', (router, { items, notes, bearer, programs }) => {
  router.get('/api/items', ({ input }, response) => response.database.list(items, input.query), {
    query: ItemList,
    middlewares: [programs, bearer.scopes('items:read')],
  })
  router.post(
    '/api/notes',
    async (request, response) => {
      const { title, text, priority } = request.input.body
      const userId = Number(requireIdentity(request).id)
      const { id } = await notes.insert({ userId, title, text, priority })
      return response.status(201).json({ id, title, text, priority })
    },
    { body: NewNote, middlewares: [programs, bearer.scopes('notes:write')] },
  )
  router.post(
    '/api/uploads',
    async ({ files }) => {
      const [file] = files
      if (file === undefined) throw new HttpError(422, 'choose a file')
      const path = join(process.env['PRODUCT_FOLDER'] ?? '', 'uploads', randomUUID())
      await file.move(path)
      await rm(path)
      return { name: file.filename, size: file.size }
    },
    {
      uploads: { files: 1, bytes: 2 * 2 ** 20 },
      middlewares: [programs, bearer.scopes('files:write')],
    },
  )
})
