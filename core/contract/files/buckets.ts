import type { MemberPermission } from '../accounts/member-role.ts'

/** The buckets that the product has. No other bucket exists for clients. */
export const PRODUCT_BUCKETS = ['exports', 'evidence', 'imports', 'receipts'] as const
export type ProductBucket = (typeof PRODUCT_BUCKETS)[number]

/** The rules of a bucket: who may use it, and how. */
export interface BucketRules {
  /** the permission that a person's role in the account must include; `administrator`: administrators alone */
  may: MemberPermission | 'administrator'
  /** whether each person reads only files that were made for them */
  isPersonal: boolean
  /** whether the owner may write, move and remove; otherwise only the product writes */
  isWritable: boolean
  /** whether the type is read from the bytes, so that a declared type cannot hide another */
  isSniffed: boolean
}

/** THE TABLE of who may use which bucket (docs/product.md §6). */
export const BUCKET_RULES: Readonly<Record<ProductBucket, BucketRules>> = {
  exports: { may: 'figures', isPersonal: true, isWritable: false, isSniffed: false },
  evidence: { may: 'leads', isPersonal: false, isWritable: true, isSniffed: true },
  imports: { may: 'administrator', isPersonal: false, isWritable: true, isSniffed: false },
  receipts: { may: 'money', isPersonal: false, isWritable: false, isSniffed: false },
}

/** Whether the product itself owns this bucket. */
export function isProductBucket(id: string): id is ProductBucket {
  return PRODUCT_BUCKETS.some((bucket) => bucket === id)
}

/** Files that count towards no account's limits: a payment must have its receipt, however many files its account keeps. */
export const UNCOUNTED_BUCKET: ProductBucket = 'receipts'

/** Limits of stored files (docs/product.md §9). */
export const FILE_LIMITS = {
  /** bytes of a file in a bucket without a limit of its own */
  size: 1_000_000_000,
  /** bytes of all files of an account */
  quota: 5_000_000_000,
  /** files of an account */
  files: 10_000,
  /** bytes of a name: the whole path */
  nameBytes: 1024,
  /** bytes of the metadata that a sender gives to a file, as JSON */
  metadataBytes: 8192,
  /** days for which an administrator's own file in `imports` is kept */
  importDays: 7,
  /** seconds that a signed URL is valid at most */
  signedSeconds: 3600,
} as const

/** The cache control of a file that names none (docs/product.md §9). */
export const DEFAULT_CACHE_CONTROL = 'max-age=3600'
