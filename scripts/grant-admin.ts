import { runCommand } from './leadwire/run-command.ts'

// `npm run grant-admin -- …` is `leadwire admin create …` under its earlier name.
process.exitCode = await runCommand(['admin', 'create', ...process.argv.slice(2)])
