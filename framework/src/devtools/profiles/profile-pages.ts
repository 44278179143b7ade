import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attachment } from '../../base/files/attachment.ts'
import { Views } from '../../base/templates/views.ts'
import { htmlDocument } from '../../errors/reports/html-document.ts'
import { html } from '../../errors/reports/page-text.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { csrfToken, tokenField } from '../../http/middlewares/csrf-token.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Router } from '../../http/router/router.ts'
import { moment } from '../moment.ts'
import { toolFrame } from '../tools.ts'
import { readProfile } from './profile-report.ts'
import type { ProfiledFrame, ProfileReport } from './profile-report.ts'
import { listProfiles, profilePath, takeProfile, wantProfile } from './take-profile.ts'
import type { ProfileFile } from './take-profile.ts'

const choices = [5, 10, 30, 60]
/** Rows of a table. */
const maxCalls = 20
/** Narrower frames are left out, in percent. */
const minWidth = 0.8
const maxDepth = 80

const views = new Views(join(import.meta.dirname, 'views'), {
  escape: html,
  globals: { choices, maxCalls, moment, percent, tokenField },
})

/** Declares the profiles of the workers below a group that only the right people can open. */
export function declareProfiles(group: Router, router: Router, root: string): void {
  const shown = async (
    request: Request,
    response: Response,
    view: string,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Response> => {
    const profiles = listProfiles(root)
    const isBusy = profiles.some(({ state }) => state !== 'cpuprofile')
    const all = { ...data, profiles, isBusy, token: await csrfToken(request) }
    const body = views.render(view, all)
    const frame = toolFrame(router, request, response)
    return response.html(htmlDocument({ title: 'Profile', page: 'inbox', body, ...frame }))
  }
  const one = (id: string): ProfileFile => {
    const found = listProfiles(root).find((profile) => profile.id === id)
    if (found === undefined) throw new HttpError(404, 'there is no such profile, or not any more')
    return found
  }

  group.get('/profiles', (request, response) => shown(request, response, 'profiles', {}))
  group.post('/profiles', async (request, response) => {
    const { seconds, kind } = (await request.form()).fields
    const chosen = choices.find((choice) => String(choice) === seconds)
    if (chosen === undefined) throw new HttpError(400, 'a profile takes 5, 10, 30 or 60 seconds')
    if (listProfiles(root).some(({ state }) => state !== 'cpuprofile')) {
      throw new HttpError(409, 'a profile is being taken')
    }
    const wanted = wantProfile(root, chosen, kind === 'memory' ? 'memory' : 'cpu')
    void takeProfile(root, wanted)
    return response.redirect(`/errors/profiles/${wanted.id}`)
  })
  group.get('/profiles/:id', async (request, response) => {
    const profile = one(request.params.id)
    if (profile.state !== 'cpuprofile') {
      // The page has no script: the browser looks again.
      response.header('Refresh', '2')
      return shown(request, response, 'profiles', { running: profile })
    }
    const report = readProfile(root, profile.id)
    const at = Number(request.query['at'] ?? report.root.id)
    const data = { profile, ...tablesOf(report), ...flameOf(report, at) }
    return shown(request, response, 'profile', data)
  })
  group.get('/profiles/:id/file', async ({ params }, response) => {
    const { id } = one(params.id)
    const content = await readFile(profilePath(root, id, 'cpuprofile'))
    return response
      .header('Content-Disposition', attachment(`${id}.cpuprofile`))
      .bytes(content, 'application/json')
  })
}

function tablesOf({ busy, root, calls, own }: ProfileReport): Readonly<Record<string, unknown>> {
  return {
    busy: percent(busy),
    megabytes: (root.total / 1e6).toFixed(1),
    whole: root.total,
    tables: [
      { title: 'Functions of the project', note: 'with what they called', tags: false, calls: own },
      { title: 'All functions', note: 'without what they called', tags: true, calls },
    ],
  }
}

/** A frame of the flame graph; positions are percent of its width, and rows. */
interface FlameFrame {
  readonly id: number
  readonly label: string
  readonly title: string
  readonly tone: string
  readonly x: number
  readonly width: number
  readonly row: number
}

/** The calls below one of them, and those above it in full width. */
function flameOf({ root }: ProfileReport, at: number): Readonly<Record<string, unknown>> {
  const path = pathTo(root, at) ?? [root]
  const chosen = path.at(-1) ?? root
  const frames: FlameFrame[] = []
  const draw = (frame: ProfiledFrame, x: number, width: number, row: number): void => {
    const { id, name, place, isOwn, total } = frame
    const share = percent(total / root.total)
    const title = `${name}${place === '' ? '' : `, ${place}`}: ${share}${isOwn ? ', code of the project' : ''}`
    const tone = isOwn ? 'own' : /^node:|^$/.test(place) ? 'engine' : 'vendor'
    frames.push({ id, label: name, title, tone, x, width, row })
    if (path.includes(frame) && frame !== chosen) return
    let left = x
    for (const child of frame.children) {
      const childWidth = (child.total / frame.total) * width
      if (childWidth >= minWidth && row < maxDepth) draw(child, left, childWidth, row + 1)
      left += childWidth
    }
  }
  path.forEach((frame, row) => draw(frame, 0, 100, row))
  return { frames, rows: Math.max(...frames.map(({ row }) => row)) + 1, isWhole: path.length === 1 }
}

function pathTo(frame: ProfiledFrame, id: number): readonly ProfiledFrame[] | null {
  if (frame.id === id) return [frame]
  for (const child of frame.children) {
    const path = pathTo(child, id)
    if (path !== null) return [frame, ...path]
  }
  return null
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
