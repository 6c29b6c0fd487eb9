#!/usr/bin/env node
import { runCommand } from './leadwire/run-command.ts'

// `npm run leadwire -- …` and `npx leadwire …`. It imports no command: each is loaded when it is called.
process.exitCode = await runCommand(process.argv.slice(2))
