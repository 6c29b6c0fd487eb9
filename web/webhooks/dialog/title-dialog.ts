/** Returns the title of docs/product.md §2. @param isNew true for a webhook that has not been saved yet */
export function titleDialog(isNew: boolean): string {
  return isNew ? 'Create Webhook Configuration' : 'Edit Webhook Configuration'
}
