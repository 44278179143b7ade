import { storagePath } from '../../storage/disk.ts'
import type { Disk } from '../../storage/disk.ts'
import { HttpError } from '../errors/http-error.ts'
import type { MiddlewareObject } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import { routeSet } from '../router/route-set.ts'
import type { RouteSet } from '../router/route-set.ts'
import { Signed } from './signed.ts'

/**
 * Serves the signed addresses and forms of a disk in a folder, under `/storage`:
 * `StorageRoutes(({ files }: Services) => files)`. A disk on S3 serves its own; for it the set has no routes.
 */
export function StorageRoutes<Services>(access: (services: Services) => Disk): RouteSet<Services> {
  return routeSet<Services>('Storage', (router, services) => {
    const disk = access(services)
    const { check } = disk
    if (check === null) return
    const pattern = `${storagePath}*key` as const
    router.get(
      pattern,
      ({ params: { key }, query: { inline, download } }, response) =>
        response.stored(disk, key, { inline: inline === '1', ...(download && { download }) }),
      { middlewares: [new Signed({ check })] },
    )
    router.post(
      pattern,
      async (request, response) => {
        const { max, redirect = '' } = request.query
        const { files } = await request.form()
        const [file] = files
        // An address to read is no form.
        if (max === undefined || file === undefined) throw new HttpError(400, 'no file was sent')
        await disk.put(request.params.key, file.stream(), { maxBytes: Number(max) })
        if (redirect === '') return response.empty()
        const url = new URL(redirect)
        url.searchParams.set('key', request.params.key)
        return response.redirect(url.href, { foreign: true })
      },
      {
        middlewares: [new Signed({ check }, { methods: ['POST'] }), withoutToken],
        uploads: { files: 1 },
      },
    )
  })
}

/** Whoever has a signed form may send it: no other page can know its address. */
const withoutToken: MiddlewareObject = {
  phase: Phases.Guard,
  process({ csrf }, _response, next) {
    if (csrf !== null) csrf.isExempt = true
    return next()
  },
}
