/** docs/product.md §2. @param isNew of a webhook that has not been saved yet */
export function titleDialog(isNew: boolean): string {
  return isNew ? 'Create Webhook Configuration' : 'Edit Webhook Configuration'
}
