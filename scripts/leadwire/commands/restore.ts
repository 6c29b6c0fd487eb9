import path from 'node:path'
import { BACKUP_FLAGS, readJobs } from '../backup/backup-flags.ts'
import { copyFiles, findDamagedFiles } from '../backup/copy-files.ts'
import { describeRestored, isWrong } from '../backup/describe-restored.ts'
import { PARTS, readBackupKeys, readManifest } from '../backup/manifest.ts'
import { readFileList, requireWholeArchive, restoreDatabase } from '../backup/restore-backup.ts'
import { defineCommand } from '../command.ts'
import { CommandError } from '../failures.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const restore = defineCommand({
  usage: '<folder>',
  about: [
    'Restores a backup into the database of DATABASE_URL, which must be there and empty, and its stored files into DATA_DIR. Stop every server and worker first. Before anything is written it checks that the manifest is signed by a key of SECRETS_KEY and that no file of the archive was changed.',
    'It then applies migrations that the backup lacks, compares counts and sums with the manifest, makes the kept sums of the overview, of revenue and of analytics anew, and runs the checks of verify. The exit code is 1 if it was refused, or something differs; a database that was restored in part must be dropped before the next try.',
  ],
  flags: BACKUP_FLAGS,
  args: [1, 1],
  run: async ({ values, args: [folder = ''], services, note }) => {
    const config = services.config(WITHOUT_REDIS)
    const jobs = readJobs(values.jobs)
    const began = performance.now()
    const manifest = await readManifest(folder, readBackupKeys(config))
    note('checking the sums of the archive')
    await requireWholeArchive(folder, manifest)
    const files = manifest.files.kept === 'here' ? await readFileList(folder) : []
    const from = path.join(folder, PARTS.files)
    const damaged = await findDamagedFiles(from, files)
    const expected = manifest.files.kept === 'here' ? manifest.files.missing : 0
    if (damaged.length !== expected)
      throw new CommandError(
        `${damaged.length} stored files are damaged or missing in the backup, ${expected} expected`,
      )
    const db = services.anyDatabase({ needs: WITHOUT_REDIS, slow: true })
    const order = { folder, manifest, url: config.database.directUrl, jobs, bin: values.bin, note }
    const restored = await restoreDatabase(db, order)
    if (manifest.files.kept === 'here') await copyFiles({ from, to: config.files.folder }, files)
    const seconds = Math.round((performance.now() - began) / 100) / 10
    return {
      isWrong: isWrong(restored),
      data: { folder, taken_at: manifest.taken_at, seconds, files: files.length, ...restored },
      lines: [
        ...describeRestored(restored),
        ...describeFiles(manifest.files, files.length - damaged.length),
        `Restored in ${seconds} s, as of ${manifest.taken_at}`,
        'Next: start workers and servers with the same SECRETS_KEY and signing keys. Redis may be empty: every job is made again',
        'from PostgreSQL. Then run leadwire doctor and leadwire stuck. Ask sources to post again what came after the backup.',
      ],
    }
  },
})

function describeFiles(files: { kept: 'here' } | { kept: 's3'; bucket: string }, count: number): string[] {
  if (files.kept === 'here') return [`${count} stored files are in DATA_DIR`]
  return [`Stored files are in the bucket ${files.bucket}; nothing of it was restored`]
}
