// Tells the password manager which passkeys count here. A browser without these methods is left alone [WebAuthn §5.1.10].
for (const { dataset } of document.querySelectorAll('[data-signals]')) {
  for (const [method, facts] of Object.entries(JSON.parse(dataset.signals)))
    window.PublicKeyCredential?.[method]?.(facts).catch(() => {});
}
