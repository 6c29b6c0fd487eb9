import { Router, type RequestHandler } from 'express'
import type { ServerContext } from '../context.ts'
import { answerStorageFailure } from './answer-storage-failure.ts'
import {
  clearBucket,
  makeBucket,
  removeBucket,
  showBucket,
  showBuckets,
  updateBucket,
} from './bucket-calls.ts'
import { copyObject, listObjects, moveObject, removeObject, removeObjects, showInfo } from './object-calls.ts'
import { takeResumable } from './resumable/take-resumable.ts'
import { sendOwnFile, sendSignedFile } from './send-file.ts'
import { signMany, signOne, signOneUpload } from './sign-calls.ts'
import { answerJson } from './storage-call.ts'
import { bucketNotFound, StorageFailure } from './storage-failure.ts'
import { takeSignedUpload, takeUpload } from './take-upload.ts'

/**
 * Stored files on the wire of the client library's storage part (docs/contract.md §3). Fixed paths come first: a bucket
 * is the first folder of all others.
 */
export function createStorageRouter(context: ServerContext): Router {
  const router = Router({ caseSensitive: true })
  const json = (handle: Parameters<typeof answerJson>[1]): RequestHandler[] => answerJson(context, handle)
  router.get('/bucket', json(showBuckets))
  router.post('/bucket', json(makeBucket))
  router.post('/bucket/:bucket/empty', json(clearBucket))
  router.get('/bucket/:bucket', json(showBucket))
  router.put('/bucket/:bucket', json(updateBucket))
  router.delete('/bucket/:bucket', json(removeBucket))

  router.use(['/object/public', '/object/info/public', '/render/image/public'], refusePublic)
  router.use('/upload/resumable/sign', refuse)
  // Its bytes are unchecked until they are a file, and afterwards they are not there.
  router.get(['/upload/resumable', '/upload/resumable/:id'], refuseRead)
  router.all(['/upload/resumable', '/upload/resumable/:id'], takeResumable(context))
  router.use(['/object/list-v2', '/render', '/cdn', '/s3', '/iceberg', '/vector'], refuse)
  router.post('/object/list/:bucket', json(listObjects))
  router.post('/object/move', json(moveObject))
  router.post('/object/copy', json(copyObject))
  router.post('/object/upload/sign/:bucket/*name', json(signOneUpload))
  router.put('/object/upload/sign/:bucket/*name', takeSignedUpload(context))
  router.post('/object/sign/:bucket', json(signMany))
  router.post('/object/sign/:bucket/*name', json(signOne))
  router.get('/object/sign/:bucket/*name', sendSignedFile(context))
  router.get('/object/info/authenticated/:bucket/*name', json(showInfo))
  router.get('/object/info/:bucket/*name', json(showInfo))
  router.get('/object/authenticated/:bucket/*name', sendOwnFile(context))
  router.get('/object/:bucket/*name', sendOwnFile(context))
  router.post('/object/:bucket/*name', takeUpload(context))
  router.put('/object/:bucket/*name', takeUpload(context))
  router.delete('/object/:bucket', json(removeObjects))
  router.delete('/object/:bucket/*name', json(removeObject))

  router.use(() => {
    throw new StorageFailure('no_such_call', 'The storage service has no such call.')
  })
  router.use(answerStorageFailure(context.logger))
  return router
}

/** No bucket is public, so there is nothing to tell about its files. */
const refusePublic: RequestHandler = () => {
  throw bucketNotFound()
}

/** An upload is not read; only HEAD asks how far it is. */
const refuseRead: RequestHandler = (request, _response, next) => {
  if (request.method === 'HEAD') return next()
  throw new StorageFailure('no_such_call', 'An upload cannot be read. Read its file.')
}

const refuse: RequestHandler = (request) => {
  throw new StorageFailure(
    'not_offered',
    `This server does not offer ${request.baseUrl.replace(/^\/storage\/v1/, '')}.`,
  )
}
