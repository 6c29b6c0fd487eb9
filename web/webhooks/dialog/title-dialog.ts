import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'

/** Returns the title of docs/product.md §2. @param isNew true for a webhook that has not been saved yet */
export function titleDialog(isNew: boolean): string {
  return isNew ? 'Create Webhook Configuration' : 'Edit Webhook Configuration'
}

/** Returns the title of the last step of Create. */
export function titleReceiver({ endpoint_url: url }: { endpoint_url: string }): string {
  return isMailUrl(url) ? 'Leads by email' : 'What your receiver needs'
}
