import { checkBackup } from '../backup/check-backup.ts'
import { BACKUP_FLAGS, readJobs, showBytes, sumBytes } from '../backup/backup-flags.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { describeRestored, isWrong } from '../backup/describe-restored.ts'
import { defineCommand, type Answer } from '../command.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const backup = defineCommand({
  usage: '<folder>',
  about: [
    'Takes a backup beside running servers and workers: everything in PostgreSQL, from one snapshot, and the stored files of DATA_DIR. The folder must not be there yet; it appears only once everything in it is synced. Files that the newest backup beside it has are linked to it, and take no further space. Files in an S3-compatible service are named, not copied. Redis needs no backup.',
    'The manifest says what was backed up, with counts and sums, and is signed by SECRETS_KEY. The keys themselves are not in it: keep SECRETS_KEY and the signing keys in another place. Needs pg_dump of the version of the server, or newer.',
    '--check restores the backup into a new database on the same server, verifies and compares it, and drops that database. Where the role may not create one, it checks the files and the list of the archive, and says so. The exit code is 1 if something is missing, changed or wrong.',
  ],
  flags: { check: { type: 'boolean', help: 'checks a backup instead of taking one' }, ...BACKUP_FLAGS },
  args: [1, 1],
  run: async ({ values, args: [folder = ''], services, note }): Promise<Answer> => {
    const config = services.config(WITHOUT_REDIS)
    const jobs = readJobs(values.jobs)
    const url = config.database.directUrl
    const began = performance.now()
    const seconds = (): number => Math.round((performance.now() - began) / 100) / 10
    if (values.check) {
      const checked = await checkBackup({ config, services }, { folder, url, jobs, bin: values.bin, note })
      const took = seconds()
      if (checked.restored === undefined)
        return {
          isWrong: checked.damaged.length > 0,
          data: { folder, ...checked, restored: null, seconds: took },
          lines: [
            `The archive is whole and lists ${checked.listed} entries; ${checked.damaged.length} stored files are damaged or missing`,
            `It was not restored: this role may not create a database`,
          ],
        }
      return {
        isWrong: isWrong(checked.restored) || checked.damaged.length > 0,
        data: { folder, ...checked, seconds: took },
        lines: [
          ...describeRestored(checked.restored),
          `${checked.damaged.length} stored files are damaged or missing`,
          `Restored and checked in ${took} s; the database for it is dropped`,
        ],
      }
    }
    const db = await services.database({ needs: WITHOUT_REDIS, slow: true })
    const manifest = await takeBackup({ db, config }, { folder, url, jobs, bin: values.bin, note })
    const { archive, signature: _signature, migrations, ...told } = manifest
    const bytes = sumBytes(archive)
    const { files } = manifest
    return {
      data: { folder, bytes, seconds: seconds(), migrations: migrations.length, ...told },
      lines: [
        `${folder}: ${showBytes(bytes)} of PostgreSQL in ${seconds()} s, as of ${manifest.taken_at}`,
        files.kept === 's3'
          ? `${files.count} files stay in the bucket ${files.bucket} of ${files.endpoint}; back that up too`
          : `${files.count} files, ${showBytes(files.bytes)}${files.missing === 0 ? '' : `; ${files.missing} were removed meanwhile`}`,
        `Signed by the key ${manifest.key} of SECRETS_KEY, which is not in it: keep it elsewhere`,
        `Check it: leadwire backup --check ${folder}`,
      ],
    }
  },
})
