import { applicationKey } from '../../src/settings/application-key.ts'

// Prints what the key of a project derives, as soon as its input ends.
const [root = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
for await (const _ of process.stdin);
const key = applicationKey({ current: null, previous: [] }, { root, environment: 'development' })
process.stdout.write(`${key.derive('test').export().toString('hex')}\n`)
