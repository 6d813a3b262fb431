// Passkeys: a form asks the device for one and sends what it answers.
//
//   <form data-passkey="get" data-options="…">     id of the page's data, or an address to fetch
//   <form data-passkey="create" data-options="…">

const bytes = (text) => {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
const keys = (list = []) => list.map((key) => ({ ...key, id: bytes(key.id) }));

async function optionsOf(form) {
  const where = form.dataset.options;
  if (!where.startsWith("/")) return JSON.parse(document.getElementById(where).textContent);
  const answer = await fetch(where, { headers: { Accept: "application/json" }, cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

async function ask(form) {
  const options = await optionsOf(form);
  if (form.dataset.passkey === "get") {
    const { publicKey } = options.request_options;
    return navigator.credentials.get({
      publicKey: {
        ...publicKey,
        challenge: bytes(publicKey.challenge),
        allowCredentials: keys(publicKey.allowCredentials),
      },
    });
  }
  const { publicKey } = options.creation_options;
  return navigator.credentials.create({
    publicKey: {
      ...publicKey,
      challenge: bytes(publicKey.challenge),
      user: { ...publicKey.user, id: bytes(publicKey.user.id) },
      excludeCredentials: keys(publicKey.excludeCredentials),
      authenticatorSelection: {
        ...publicKey.authenticatorSelection,
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
    },
  });
}

/** As the server reads it: the credential's JSON, with bytes in base64url. */
function written(credential) {
  const { response } = credential;
  const answer = { clientDataJSON: text(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) answer[name] = text(response[name]);
  }
  if (response.getTransports) answer.transports = response.getTransports();
  return JSON.stringify({
    type: credential.type,
    id: credential.id,
    rawId: text(credential.rawId),
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: answer,
  });
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) {
    form.hidden = true;
    continue;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fault = form.querySelector("[data-passkey-error]");
    fault.hidden = true;
    try {
      form.elements.credential.value = written(await ask(form));
      form.submit();
    } catch {
      fault.hidden = false;
    }
  });
}
