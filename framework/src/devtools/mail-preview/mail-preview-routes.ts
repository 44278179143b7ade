import type { MailPreviewOptions } from '../../mail/mailer.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { attachment } from '../../base/files/attachment.ts'
import type { Response } from '../../http/response/response.ts'
import type { Request } from '../../http/request/request.ts'
import type { Router } from '../../http/router/router.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { forDevelopers } from '../for-developers.ts'
import { PageEvents } from '../page-events.ts'
import { allowModules, serveModules } from '../page-modules.ts'
import { rowEvents } from '../row-events.ts'
import { toolFrame } from '../tools.ts'
import { MailFolder } from './mail-folder.ts'
import type { StoredMail } from './mail-folder.ts'
import { listPage, listedMails, mailHtml, mailPage, modulesFolder } from './mail-pages.ts'
import type { MailLook } from './mail-pages.ts'

const maxListed = 200

/** Declares `/mails`: a list of what the file lane wrote, and each mail with its parts. */
export function declareMailPreview(
  router: Router,
  server: ServerHost,
  { folder, remote }: MailPreviewOptions,
): void {
  const mails = new MailFolder(folder)
  const pages = new PageEvents(server)
  const rows = async (): Promise<ReturnType<typeof listedMails>> =>
    listedMails(await mails.list(maxListed))
  const one = async (id: string): Promise<StoredMail> => {
    const mail = await mails.read(id)
    if (mail === null) throw new HttpError(404, `there is no mail ${id}`)
    return mail
  }

  router.group(
    '/mails',
    (group) => {
      group.get('/', async (request, response) => {
        const list = await mails.list(maxListed)
        return allowModules(response).html(listPage(list, toolFrame(router, request, response)))
      })
      group.get('/events', (request, response) =>
        pages.send(request, response, (signal) =>
          rowEvents({ rows, change: () => mails.change() }, signal),
        ),
      )
      // Polled by the list while it has no events.
      group.get('/rows', async (_request, response) => response.json(await rows()))
      serveModules(group, '/page', modulesFolder)
      group.get('/of/:message', async ({ params }, response) => {
        const found = await mails.find(params.message, maxListed)
        if (found === null) throw new HttpError(404, 'there is no mail with this Message-ID')
        return response.redirect(`/mails/${found}`)
      })
      group.get('/:id<\\d+-\\d+>', async (request, response) => {
        const mail = await one(request.params.id)
        const frame = toolFrame(router, request, response)
        return trusted(response).html(mailPage(mail, lookOf(request), frame))
      })
      group.get('/:id<\\d+-\\d+>/html', async (request, response) => {
        const { id } = request.params
        const html = mailHtml((await one(id)).mail, lookOf(request).scheme)
        if (html === null) throw new HttpError(404, `mail ${id} has no HTML`)
        return untrusted(response).html(html)
      })
      group.get('/:id<\\d+-\\d+>/source', async ({ params }, response) => {
        const { bytes } = await one(params.id)
        return untrusted(response).bytes(bytes, 'text/plain; charset=utf-8')
      })
      group.get('/:id<\\d+-\\d+>/attachments/:at<int>', async ({ params }, response) => {
        const file = (await one(params.id)).mail.attachments[params.at]
        if (file === undefined) throw new HttpError(404, `mail ${params.id} has no such file`)
        return untrusted(response)
          .header('Content-Disposition', attachment(file.name))
          .bytes(file.content)
      })
    },
    // Links in mails give access to accounts.
    [forDevelopers(remote)],
  )
}

function lookOf({ query }: Request): MailLook {
  return {
    width: query['width'] === 'phone' ? 'phone' : 'desktop',
    scheme: query['scheme'] === 'dark' ? 'dark' : 'light',
  }
}

/** Our own page: allows only its inline style and the frame with the mail. */
function trusted(response: Response): Response {
  return response.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${response.nonce}'; frame-src 'self'; img-src data:; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
}

/**
 * The content of a mail: sandboxed without an origin or scripts, it loads nothing and may only open its
 * links in new windows.
 */
function untrusted(response: Response): Response {
  return (
    response
      .header(
        'Content-Security-Policy',
        `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; ` +
          `style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; ` +
          `form-action 'none'; frame-ancestors 'self'`,
      )
      // With any other value, browsers do not open a sandboxed document in a window of its own.
      .header('Cross-Origin-Opener-Policy', 'unsafe-none')
  )
}
