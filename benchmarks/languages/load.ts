import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// What a start does for languages alone: everything else is loaded, and modules are compiled as after an earlier start.
const [, , without = '', spoken = '', compiled = ''] = process.argv
enableCompileCache(compiled)
const load = (root: string, file: string) => import(pathToFileURL(join(root, file)).href)
await load(without, 'project.ts')
const began = performance.now()
const { languages } = await load(spoken, 'languages.ts')
languages.within([]).useTimeZone('UTC')
console.log(performance.now() - began)
