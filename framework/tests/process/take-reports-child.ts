import { existsSync } from 'node:fs'
import { takeAnyReport } from '../../src/errors/crash-reports/take-report.ts'

// Waits at the gate with others, takes the reports it can get, and prints them.
const [folder = '', gate = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
while (!existsSync(gate));
const taken: string[] = []
for (let fatal = takeAnyReport(folder); fatal !== null; fatal = takeAnyReport(folder)) {
  taken.push(fatal.message)
}
process.stdout.write(`${JSON.stringify(taken)}\n`)
