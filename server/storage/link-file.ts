import type { FileLink } from '#core/contract/files/file-link.ts'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import type { ServerContext } from '../context.ts'

/**
 * Makes a URL that reads one file for an hour without a token. The caller has judged and recorded who gets it.
 * @param file its place in a bucket, and its id: another file of that name stays closed
 */
export async function linkFile(
  context: Pick<ServerContext, 'identity'>,
  file: { bucket: string; name: string; id: string },
): Promise<FileLink> {
  const { signRead } = await import('./signed-token.ts')
  const seconds = FILE_LIMITS.signedSeconds
  const token = await signRead(context, { url: `${file.bucket}/${file.name}`, file: file.id }, seconds)
  const path = file.name.split('/').map(encodeURIComponent).join('/')
  return {
    url: `/storage/v1/object/sign/${file.bucket}/${path}?token=${token}`,
    expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
  }
}
