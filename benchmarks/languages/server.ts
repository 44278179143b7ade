import { serveProject } from '../../framework/dist/project/start/serve-project.js'

// What `framework serve` does, in a process that says what it has used.
const [, , root = '.', port = '0'] = process.argv
await serveProject({ root, environment: 'production', host: '127.0.0.1', port: Number(port) })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
// It never outlives the harness that started it.
process.on('disconnect', () => process.exit())
process.send?.('ready')
