import { Eta } from 'eta'

/** The views of the peers that render with Eta. */
export const viewsFolder: string = `${import.meta.dirname}/../views`
export const viewExtension = '.template.html'

/** Compiled once, and kept. */
export function openViews(): Eta {
  return new Eta({ views: viewsFolder, defaultExtension: viewExtension, cache: true })
}
