// A button of passkeys puts what the browser has made into a field of its form, and sends the form.
// src/access/passkey.h has the text. Screens hide the buttons from browsers without script.
"use strict";
{
	const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
	const base64url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
		.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
	const create = async (challenge, { known, name }) => {
		const { rawId, response } = await navigator.credentials.create({ publicKey: {
			challenge,
			rp: { name: location.hostname },
			user: { id: crypto.getRandomValues(new Uint8Array(32)), name, displayName: name },
			pubKeyCredParams: [{ type: "public-key", alg: -7 }],
			excludeCredentials: known.split(" ").filter(Boolean).map((id) => ({ type: "public-key", id: bytes(id) })),
			authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
		} });
		return [response.clientDataJSON, response.getAuthenticatorData(), response.getPublicKey(), rawId];
	};
	const sign = async (challenge) => {
		const { rawId, response } = await navigator.credentials.get({ publicKey: { challenge, userVerification: "required" } });
		return [response.clientDataJSON, response.authenticatorData, response.signature, rawId];
	};
	const press = async ({ currentTarget: button }) => {
		const { form, dataset } = button;
		button.disabled = true;
		try {
			const answer = await fetch(dataset.challenge);
			if (!answer.ok) throw new Error(answer.status);
			const challenge = new TextEncoder().encode(await answer.text());
			const parts = await (dataset.name ? create : sign)(challenge, dataset);
			form.elements[dataset.field].value = parts.map(base64url).join(".");
			form.submit();
		} catch {
			const problem = document.querySelector("p.passkey") ?? document.createElement("p");
			problem.className = "problem passkey";
			problem.setAttribute("role", "alert");
			button.before(problem);
			problem.textContent = dataset.failed;
		}
		button.disabled = false;
	};
	// Browsers refuse passkeys at an address without a name.
	if (isSecureContext && window.PublicKeyCredential && /^[\w.-]*[a-z][\w.-]*$/i.test(location.hostname))
		for (const button of document.querySelectorAll("button[data-challenge]")) {
			button.hidden = false;
			button.addEventListener("click", press);
		}
}
