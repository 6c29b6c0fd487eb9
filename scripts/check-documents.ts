import { fileURLToPath } from 'node:url'
import { checkDocuments } from './documents/check-documents.ts'
import { openRepository } from './documents/repository.ts'

/** `npm run documents`: a reader of the repository must find whatever comments cite and documents name. */
const faults = checkDocuments(openRepository(fileURLToPath(new URL('..', import.meta.url))))
for (const { file, line, reason } of faults) console.log(`${file}:${line}: ${reason}`)
process.exit(faults.length === 0 ? 0 : 1)
