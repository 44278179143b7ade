import { FrameworkError } from '../../base/errors.ts'
import { toError } from '../../base/to-error.ts'
import { Entity } from '../../orm/entity/entity.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import { listModules, loadModule } from '../project-modules.ts'

/**
 * The entities that the modules of a folder export, by module and name.
 * @throws FrameworkError when the folder does not exist, a module cannot be loaded, or there is no
 * entity.
 */
export async function projectEntities(folder: string): Promise<readonly AnyEntity[]> {
  const modules = await listModules(folder)
  if (modules === null) {
    throw new FrameworkError(
      'E_ENTITY',
      `there is no folder ${folder}; put the entities of the project there, or name their folder with --entities`,
    )
  }
  const found = new Set<AnyEntity>()
  for (const file of modules) {
    const exported = await loadModule(file).catch((thrown: unknown) => {
      const error = toError(thrown)
      throw new FrameworkError('E_ENTITY', `${file.path} cannot be loaded: ${error.message}`, {
        cause: error,
      })
    })
    for (const value of Object.values(exported)) if (value instanceof Entity) found.add(value)
  }
  if (found.size > 0) return [...found]
  throw new FrameworkError(
    'E_ENTITY',
    `no module in ${folder} exports an entity; write export const Posts = entity('posts', { … })`,
  )
}
