import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** The number of open sockets of a process and its children. */
export function heldSockets(pid: number): number {
  const processes = readdirSync('/proc').filter(
    (name) => name === String(pid) || isChild(name, pid),
  )
  return processes.reduce((sum, name) => sum + socketsOf(name), 0)
}

function isChild(name: string, pid: number): boolean {
  if (!/^\d+$/.test(name)) return false
  const stat = orEmpty(() => readFileSync(`/proc/${name}/stat`, 'latin1'))
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(pid)
}

function socketsOf(name: string): number {
  const folder = `/proc/${name}/fd`
  const numbers = orEmpty(() => readdirSync(folder).join(' ')).split(' ')
  const links = numbers.map((number) => orEmpty(() => readlinkSync(`${folder}/${number}`)))
  return links.filter((link) => link.startsWith('socket:')).length
}

// Processes and their files may disappear meanwhile.
function orEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
