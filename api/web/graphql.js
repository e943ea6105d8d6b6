"use strict";

const element = (id) => document.getElementById(id);

const SCHEMA = `{ __schema { types { kind name description
    fields { name description args { name type { ...T } } type { ...T } }
    inputFields { name description type { ...T } }
    enumValues { name description } } } }
  fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

async function ask(query, variables) {
  const headers = {
    "Accept": "application/graphql-response+json",
    "Content-Type": "application/json",
  };
  const token = element("token").value.trim();
  if (token) headers["Authorization"] = `Bearer ${token}`;
  const body = JSON.stringify({ query, variables });
  const response = await fetch("/graphql", { method: "POST", headers, body });
  return { status: response.status, answer: await response.json() };
}

async function run() {
  const show = (status, text) => {
    element("status").textContent = status;
    element("result").textContent = text;
  };
  let variables;
  try {
    variables = JSON.parse(element("variables").value || "{}");
  } catch (fault) {
    show("The variables are not JSON", fault.message);
    return;
  }
  show("Asking …", "");
  try {
    const { status, answer } = await ask(element("query").value, variables);
    show(`Status ${status}`, JSON.stringify(answer, null, 2));
  } catch (fault) {
    show("No answer", fault.message);
  }
}

function typeName(type) {
  if (type.kind === "NON_NULL") return `${typeName(type.ofType)}!`;
  if (type.kind === "LIST") return `[${typeName(type.ofType)}]`;
  return type.name;
}

function signature(field) {
  const args = (field.args ?? []).map((arg) => `${arg.name}: ${typeName(arg.type)}`);
  const given = args.length > 0 ? `(${args.join(", ")})` : "";
  return field.type ? `${field.name}${given}: ${typeName(field.type)}` : field.name;
}

function make(name, text, ...children) {
  const made = document.createElement(name);
  made.textContent = text ?? "";
  made.append(...children);
  return made;
}

function showType(type) {
  const members = type.fields ?? type.inputFields ?? type.enumValues ?? [];
  const list = members.flatMap((member) => [
    make("dt", signature(member)),
    make("dd", member.description),
  ]);
  const details = make("details", "", make("summary", type.name), make("p", type.description));
  details.append(make("dl", "", ...list));
  return details;
}

async function showSchema() {
  const { answer } = await ask(SCHEMA);
  const types = answer.data?.__schema?.types ?? [];
  const ours = types.filter((type) => !type.name.startsWith("__") && type.kind !== "SCALAR");
  ours.sort((one, other) => (other.name === "Query") - (one.name === "Query"));
  if (ours.length > 0) element("schema").append(make("h2", "Schema"), ...ours.map(showType));
}

element("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
element("ask").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
showSchema();
